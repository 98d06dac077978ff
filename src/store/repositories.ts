import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { RepositoryTable } from "../core/ports/store.ts";
import type { RepositoryRow } from "../core/rows.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const rows = codec<RepositoryRow>(
  "repository",
  z.object({
    id: z.int(),
    owner: z.string(),
    name: z.string(),
    installationId: z.int(),
    private: z.boolean(),
    defaultBranch: z.string(),
  }),
);

/** Repositories by GitHub's id, with the names they had when they were last heard of. */
export function repositoryTable(db: Kysely<Schema>): RepositoryTable {
  return {
    put: async (repository) => {
      // Tells which of two rows of one name is the newer: the older one was renamed before the name was taken again.
      const seen = sql<number>`(select coalesce(max(seen), 0) + 1 from repository)`;
      const { id, ...latest } = rows.encode(repository);
      await db
        .insertInto("repository")
        .values({ id, ...latest, seen })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ ...latest, seen }))
        .execute();
    },
    get: async (id) => {
      const row = await db.selectFrom("repository").selectAll().where("id", "=", id).executeTakeFirst();
      return row && rows.decode(row);
    },
    byName: async (owner, name) => {
      const row = await db
        .selectFrom("repository")
        .selectAll()
        .where((eb) => eb(eb.fn("lower", ["owner"]), "=", owner.toLowerCase()))
        .where((eb) => eb(eb.fn("lower", ["name"]), "=", name.toLowerCase()))
        .orderBy("seen", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && rows.decode(row);
    },
    all: async () => {
      const found = await db.selectFrom("repository").selectAll().orderBy("id").execute();
      return found.map((row) => rows.decode(row));
    },
    ofInstallation: async (installationId) => {
      const found = await db
        .selectFrom("repository")
        .selectAll()
        .where("installationId", "=", installationId)
        .orderBy("id")
        .execute();
      return found.map((row) => rows.decode(row));
    },
  };
}
