import type { Kysely } from "kysely";
import { z } from "zod";
import type { RepositoryFileRow, RepositoryFileTable } from "../core/ports/repository-file-rows.ts";
import type { RepositoryOverride } from "../core/repository-override.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const rows = codec<RepositoryFileRow>(
  "repository_file",
  z.object({
    repositoryId: z.int(),
    fingerprint: z.string(),
    // Written by this program of what its own schema let through; `settingsFor` bounds it again at each use.
    override: z.custom<RepositoryOverride>((value) => typeof value === "object" && value !== null).nullable(),
    source: z.string().nullable(),
    faults: z.array(z.string()),
    readAt: z.int(),
  }),
  "repositoryId",
);

/** What was read of repositories' own files; each reading takes the place of the one before. */
export function repositoryFileTable(db: Kysely<Schema>): RepositoryFileTable {
  return {
    put: async (row) => {
      const columns = rows.encode(row);
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
      return row && rows.decode(row);
    },
    all: async () => {
      const found = await db.selectFrom("repositoryFile").selectAll().orderBy("repositoryId").execute();
      return found.map((row) => rows.decode(row));
    },
  };
}
