import { type Kysely, type SqlBool, sql } from "kysely";
import { z } from "zod";
import type { ArchiveTable } from "../../../domain/ports/agent-tables.ts";
import type { ArchiveRow } from "../../../domain/tasks/archive.ts";
import { codec } from "../sql/codec.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";

const AT_ONCE = 50;

/** Must match the condition of the index `agent_left` literally. */
const LEFT = sql<SqlBool>`worktree_path IS NOT NULL AND state IN ('COMPLETED', 'FAILED', 'CANCELLED')`;

const rows = codec<ArchiveRow>(
  "archive",
  z.object({
    agentId: z.int(),
    path: z.string().nullable(),
    sha256: z.string().nullable(),
    bytes: z.int().nullable(),
    madeAt: z.int(),
    expiresAt: z.int(),
    removedAt: z.int().nullable(),
  }),
  "agentId",
);

/** Stores the archives of work that ended agents left. */
export function archiveTable(db: Kysely<Schema>): ArchiveTable {
  return {
    put: async (row) => {
      const columns = rows.encode(row);
      await db
        .insertInto("archive")
        .values(columns)
        .onConflict((conflict) => conflict.column("agentId").doUpdateSet(columns))
        .execute();
    },
    ofAgents: async (agentIds) => {
      const found = await db
        .selectFrom("archive")
        .selectAll()
        .where("agentId", "in", agentIds)
        .orderBy("agentId")
        .execute();
      return found.map((row) => rows.decode(row));
    },
    due: async (now) => {
      const found = await db
        .selectFrom("archive")
        .selectAll()
        .where("removedAt", "is", null)
        .where("expiresAt", "<=", now)
        .orderBy("expiresAt")
        .limit(AT_ONCE)
        .execute();
      return found.map((row) => rows.decode(row));
    },
    removed: async (agentId, at) => {
      await db.updateTable("archive").set({ removedAt: at }).where("agentId", "=", agentId).execute();
    },
    left: async () => {
      // Without the hint, a planner walks all ended agents.
      const { rows: found } = await sql<{
        id: number;
      }>`select id from agent ${dialect.byIndex("agent_left")} where ${LEFT}
        and not exists (select 1 from effect where effect.agent_id = agent.id and effect.state in ('pending', 'leased'))
        order by id limit ${AT_ONCE}`.execute(db);
      return found.map(({ id }) => id);
    },
  };
}
