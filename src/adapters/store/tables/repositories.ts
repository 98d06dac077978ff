import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { RepositoryRow } from "../../../domain/kernel/rows.ts";
import type { RepositoryFileRow, RepositoryFileTable } from "../../../domain/ports/settings-tables.ts";
import type { RepositoryTable } from "../../../domain/ports/store.ts";
import type { RepositoryOverride } from "../../../domain/settings/repository-override.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const repositoriesRows = codec<RepositoryRow>(
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

/** Stores repositories by GitHub's id, with the names that GitHub last gave. */
export function repositoryTable(db: Kysely<Schema>): RepositoryTable {
  return {
    put: async (repository) => {
      // Tells which of two rows with one name is newer: the older repository was renamed before the other
      // took its name.
      const seen = sql<number>`(select coalesce(max(seen), 0) + 1 from repository)`;
      const { id, ...latest } = repositoriesRows.encode(repository);
      await db
        .insertInto("repository")
        .values({ id, ...latest, seen })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ ...latest, seen }))
        .execute();
    },
    get: async (id) => {
      const row = await db.selectFrom("repository").selectAll().where("id", "=", id).executeTakeFirst();
      return row && repositoriesRows.decode(row);
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
      return row && repositoriesRows.decode(row);
    },
    all: async () => {
      const found = await db.selectFrom("repository").selectAll().orderBy("id").execute();
      return found.map((row) => repositoriesRows.decode(row));
    },
    ofInstallation: async (installationId) => {
      const found = await db
        .selectFrom("repository")
        .selectAll()
        .where("installationId", "=", installationId)
        .orderBy("id")
        .execute();
      return found.map((row) => repositoriesRows.decode(row));
    },
  };
}

const repositoryFilesRows = codec<RepositoryFileRow>(
  "repository_file",
  z.object({
    repositoryId: z.int(),
    fingerprint: z.string(),
    // This program wrote the value from what its own schema accepted; `settingsFor` bounds it again at each
    // use.
    override: z.custom<RepositoryOverride>((value) => typeof value === "object" && value !== null).nullable(),
    source: z.string().nullable(),
    faults: z.array(z.string()),
    readAt: z.int(),
  }),
  "repositoryId",
);

/** Stores what was read of repositories' own files; each reading replaces the one before. */
export function repositoryFileTable(db: Kysely<Schema>): RepositoryFileTable {
  return {
    put: async (row) => {
      const columns = repositoryFilesRows.encode(row);
      await db
        .insertInto("repositoryFile")
        .values(columns)
        .onConflict((conflict) => conflict.column("repositoryId").doUpdateSet(columns))
        .execute();
    },
    get: async (repositoryId) => {
      const row = await db
        .selectFrom("repositoryFile")
        .selectAll()
        .where("repositoryId", "=", repositoryId)
        .executeTakeFirst();
      return row && repositoryFilesRows.decode(row);
    },
    all: async () => {
      const found = await db.selectFrom("repositoryFile").selectAll().orderBy("repositoryId").execute();
      return found.map((row) => repositoryFilesRows.decode(row));
    },
  };
}
