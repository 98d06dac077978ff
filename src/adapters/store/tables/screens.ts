import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { ScreenRow } from "../../../domain/evidence/screens.ts";
import type { ScreenTable } from "../../../domain/ports/work-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<Omit<ScreenRow, "commit"> & { readonly commitSha: string }>(
  "screen",
  z.object({
    id: z.int(),
    agentId: z.int(),
    commitSha: z.string(),
    baseCommit: z.string().nullable(),
    digest: z.string(),
    page: z.string(),
    size: z.string(),
    beforeFault: z.string().nullable(),
    afterFault: z.string().nullable(),
    changed: z.number().nullable(),
    createdAt: z.int(),
  }),
);

/** Without the pictures, which are large. */
const COLUMNS = [
  "id",
  "agentId",
  "commitSha",
  "baseCommit",
  "digest",
  "page",
  "size",
  "beforeFault",
  "afterFault",
  "changed",
  "createdAt",
] as const;

function decode(row: Readonly<Record<string, unknown>>): ScreenRow {
  const { commitSha, ...screen } = rows.decode(row);
  return { ...screen, commit: commitSha };
}

/** Stores pictures of the app before and after agents' work. */
export function screenTable(db: Kysely<Schema>): ScreenTable {
  return {
    replace: async (agentId, { commit, screens, ...of }) => {
      await db.deleteFrom("screen").where("agentId", "=", agentId).execute();
      // One at a time: together they may be larger than a statement can be.
      for (const screen of screens)
        await db
          .insertInto("screen")
          .values({ ...screen, ...of, agentId, commitSha: commit })
          .execute();
    },
    ofAgent: async (agentId) =>
      (
        await db.selectFrom("screen").select(COLUMNS).where("agentId", "=", agentId).orderBy("id").execute()
      ).map(decode),
    picture: async (agentId, id, which) => {
      const found = await db
        .selectFrom("screen")
        .select(`${which} as bytes`)
        .where("agentId", "=", agentId)
        .where("id", "=", id)
        .executeTakeFirst();
      return found?.bytes ?? null;
    },
    before: async ({ repositoryId, baseCommit, digest }) => {
      const ofBase = db
        .selectFrom("screen")
        .where("baseCommit", "=", baseCommit)
        .where("digest", "=", digest)
        .where("before", "is not", null)
        .where(sql<boolean>`agent_id IN (SELECT id FROM agent WHERE repository_id = ${repositoryId})`);
      const latest = ofBase.select((on) => on.fn.max("agentId").as("agentId"));
      const found = await ofBase.select(["page", "size", "before"]).where("agentId", "=", latest).execute();
      return found.flatMap(({ page, size, before }) => (before === null ? [] : [{ page, size, before }]));
    },
  };
}
