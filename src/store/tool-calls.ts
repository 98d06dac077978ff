import type { Kysely } from "kysely";
import type { ToolCallTable } from "../core/ports/store.ts";
import type { Schema } from "./schema.ts";

/** The audit of tool calls: one row for each, its first end wins. */
export function toolCallTable(db: Kysely<Schema>): ToolCallTable {
  return {
    start: async ({ at, ...call }) => {
      await db
        .insertInto("tool_call")
        .values({ ...call, status: "running", output: null, startedAt: at, endedAt: null })
        .onConflict((conflict) => conflict.columns(["agentId", "toolCallId"]).doNothing())
        .execute();
    },
    end: async ({ agentId, toolCallId, status, output, at }) => {
      await db
        .updateTable("tool_call")
        .set({ status, output, endedAt: at })
        .where("agentId", "=", agentId)
        .where("toolCallId", "=", toolCallId)
        .where("status", "=", "running")
        .execute();
    },
  };
}
