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
    status: z.enum(["pending", "running", ...TOOL_RESULTS]),
    asked: z.string().nullable(),
    output: z.string().nullable(),
    startedAt: z.int(),
    endedAt: z.int().nullable(),
    durationMs: z.int().nullable(),
  }),
);

export const decodeToolCall = (row: Readonly<Record<string, unknown>>): ToolCallRow => rows.decode(row);

const sorted = (found: readonly Readonly<Record<string, unknown>>[]) =>
  found.map(decodeToolCall).toSorted((one, other) => one.id - other.id);

/** Inlined, because the planner uses the index `tool_call_open` only for the very condition it was made with. */
const OPEN = sql<boolean>`status IN ('pending', 'running')`;

/** Not where a person may still answer about the call, or has just said yes and the agent is not yet awake. */
const NOT_AWAITED = sql<boolean>`NOT (status = 'pending' AND asked IS NOT NULL AND EXISTS (
  SELECT 1 FROM approval JOIN agent ON agent.id = approval.agent_id
  WHERE approval.agent_id = tool_call.agent_id AND approval.hash = tool_call.asked AND approval.token = agent.token
  AND approval.state IN ('asked', 'granted') AND agent.state NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')))`;

/** Stores the audit of tool calls: a row for each call, ended once. */
export function toolCallTable(db: Kysely<Schema>): ToolCallTable {
  const oldest = (of: { agentId: number; toolCallId: string }) =>
    db
      .selectFrom("tool_call")
      .select((eb) => eb.fn.min("id").as("id"))
      .where("agentId", "=", of.agentId)
      .where("toolCallId", "=", of.toolCallId)
      .where(OPEN);
  return {
    start: async ({ at, ...call }) => {
      await db
        .insertInto("tool_call")
        .values({
          ...call,
          status: "pending",
          asked: null,
          output: null,
          startedAt: at,
          endedAt: null,
          durationMs: null,
        })
        .execute();
    },
    letGo: async (call) => {
      await db
        .updateTable("tool_call")
        .set({ status: "running" })
        .where("id", "=", oldest(call))
        .where("status", "=", "pending")
        .execute();
    },
    wait: async ({ asked, ...call }) => {
      await db.updateTable("tool_call").set({ asked }).where("id", "=", oldest(call)).execute();
    },
    again: async ({ agentId, asked, turn, at }) => {
      const waiting = db
        .selectFrom("tool_call")
        .select((eb) => eb.fn.min("id").as("id"))
        .where("agentId", "=", agentId)
        .where("asked", "=", asked)
        .where("status", "=", "pending")
        .where(OPEN);
      const row = await db
        .updateTable("tool_call")
        .set({ asked: null, turn, startedAt: at })
        .where("id", "=", waiting)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : rows.decode(row);
    },
    end: async ({ agentId, toolCallId, status, output, at }) => {
      const row = await db
        .updateTable("tool_call")
        .set({ status, output, endedAt: at, durationMs: sql`${at} - started_at` })
        .where("id", "=", oldest({ agentId, toolCallId }))
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : rows.decode(row);
    },
    deny: async ({ agentId, asked, output, at }) =>
      sorted(
        await db
          .updateTable("tool_call")
          .set({ status: "denied", output, endedAt: at, durationMs: sql`${at} - started_at` })
          .where("agentId", "=", agentId)
          .where("asked", "=", asked)
          .where("status", "=", "pending")
          .where(OPEN)
          .returningAll()
          .execute(),
      ),
    interrupt: async ({ agentId, neverRan, at }) => {
      const open = db
        .updateTable("tool_call")
        .set({
          status: "interrupted",
          output: sql`CASE status WHEN 'pending' THEN ${neverRan} ELSE output END`,
          endedAt: at,
        })
        .where(OPEN)
        .where(NOT_AWAITED);
      return sorted(
        await (agentId === null ? open : open.where("agentId", "=", agentId)).returningAll().execute(),
      );
    },
    ofAgent: async (agentId) =>
      (
        await db.selectFrom("tool_call").selectAll().where("agentId", "=", agentId).orderBy("id").execute()
      ).map((row) => rows.decode(row)),
  };
}
