import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { ToolCallRow } from "../../../domain/kernel/rows.ts";
import { TOOL_RESULTS } from "../../../domain/kernel/run-event.ts";
import type { ToolCallTable } from "../../../domain/ports/audit-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<ToolCallRow>(
  "tool_call",
  z.strictObject({
    id: z.int(),
    agentId: z.int(),
    toolCallId: z.string(),
    tool: z.string(),
    input: z.string(),
    turn: z.int(),
    status: z.enum(["running", ...TOOL_RESULTS]),
    output: z.string().nullable(),
    startedAt: z.int(),
    endedAt: z.int().nullable(),
    durationMs: z.int().nullable(),
  }),
);

export const decodeToolCall = (row: Readonly<Record<string, unknown>>): ToolCallRow => rows.decode(row);

/** Stores the audit of tool calls: a row for each call, ended once. */
export function toolCallTable(db: Kysely<Schema>): ToolCallTable {
  return {
    start: async ({ at, ...call }) => {
      await db
        .insertInto("tool_call")
        .values({
          ...call,
          status: "running",
          output: null,
          startedAt: at,
          endedAt: null,
          durationMs: null,
        })
        .execute();
    },
    end: async ({ agentId, toolCallId, status, output, at }) => {
      const oldest = db
        .selectFrom("tool_call")
        .select((eb) => eb.fn.min("id").as("id"))
        .where("agentId", "=", agentId)
        .where("toolCallId", "=", toolCallId)
        .where("status", "=", sql.lit("running"));
      const row = await db
        .updateTable("tool_call")
        .set({ status, output, endedAt: at, durationMs: sql`${at} - started_at` })
        .where("id", "=", oldest)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : rows.decode(row);
    },
    interrupt: async ({ agentId, at }) => {
      const running = db
        .updateTable("tool_call")
        .set({ status: "interrupted", endedAt: at })
        .where("status", "=", sql.lit("running"));
      const cut = await (agentId === null ? running : running.where("agentId", "=", agentId))
        .returningAll()
        .execute();
      return cut.map((row) => rows.decode(row)).toSorted((one, other) => one.id - other.id);
    },
    ofAgent: async (agentId) =>
      (
        await db.selectFrom("tool_call").selectAll().where("agentId", "=", agentId).orderBy("id").execute()
      ).map((row) => rows.decode(row)),
  };
}
