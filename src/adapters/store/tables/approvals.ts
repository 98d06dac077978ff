import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { ApprovalTable } from "../../../domain/ports/agent-tables.ts";
import type { ApprovalRow } from "../../../domain/questions/approval.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<ApprovalRow>(
  "approval",
  z.object({
    id: z.int(),
    agentId: z.int(),
    token: z.int(),
    state: z.enum(["asked", "granted", "used", "denied"]),
    kind: z.enum([
      "deletes_outside",
      "network",
      "protected_path",
      "mcp_server",
      "plan",
      "held_commit",
      "weakened_tests",
    ]),
    detail: z.string(),
    tool: z.string(),
    input: z.string(),
    hash: z.string(),
    decidedBy: z.string().nullable(),
    reason: z.string().nullable(),
    createdAt: z.int(),
    decidedAt: z.int().nullable(),
  }),
);

export const decodeApproval = (row: Readonly<Record<string, unknown>>): ApprovalRow => rows.decode(row);

/** Stores the tool calls that people were asked to approve. */
export function approvalTable(db: Kysely<Schema>): ApprovalTable {
  const of = (agentId: number) => db.selectFrom("approval").selectAll().where("agentId", "=", agentId);
  return {
    ask: async (asked) => {
      const columns = rows.encode({
        ...asked,
        state: "asked",
        decidedBy: null,
        reason: null,
        decidedAt: null,
      });
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("approval")
        .values(columns)
        .onConflict((conflict) =>
          conflict.columns(["agentId", "token", "hash"]).where("state", "=", ASKED).doNothing(),
        )
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    get: async (id) => {
      const row = await db.selectFrom("approval").selectAll().where("id", "=", id).executeTakeFirst();
      return row && decodeApproval(row);
    },
    asked: async (agentId, token) => {
      const found = await of(agentId)
        .where("token", "=", token)
        .where("state", "=", ASKED)
        .orderBy("id")
        .execute();
      return found.map(decodeApproval);
    },
    latest: async (agentId, hash) => {
      const row = await of(agentId)
        .where("hash", "=", hash)
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && decodeApproval(row);
    },
    decided: async (agentId, token) => {
      const row = await of(agentId)
        .where("token", "=", token)
        .where("state", "in", ["granted", "used", "denied"])
        .orderBy("decidedAt", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && decodeApproval(row);
    },
    plan: async (agentId) => {
      const row = await of(agentId)
        .where("kind", "=", "plan")
        .where("state", "=", "granted")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && decodeApproval(row);
    },
    held: async (agentId) => {
      const found = await of(agentId)
        .where("kind", "=", "held_commit")
        .where("state", "=", "granted")
        .orderBy("id")
        .execute();
      return found.map(decodeApproval);
    },
    decide: async ({ id, state, by, reason, onGitHub }, at, edited) => {
      const decidedOnGithub = onGitHub === undefined ? null : Number(onGitHub);
      const { numUpdatedRows } = await db
        .updateTable("approval")
        .set({ state, decidedBy: by, reason, decidedAt: at, decidedOnGithub, ...edited })
        .where("id", "=", id)
        .where("state", "=", ASKED)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    takeBack: async (id, { by, reason, at }) => {
      const { numUpdatedRows } = await db
        .updateTable("approval")
        .set({ state: "denied", decidedBy: by, reason, decidedAt: at, decidedOnGithub: 0 })
        .where("id", "=", id)
        .where("state", "=", "granted")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    close: async (agentId, { by, reason, at }) => {
      await db
        .updateTable("approval")
        .set({ state: "denied", decidedBy: by, reason, decidedAt: at })
        .where("agentId", "=", agentId)
        .where("state", "=", ASKED)
        .execute();
    },
    use: async (agentId, hash) => {
      const granted = db
        .selectFrom("approval")
        .select((eb) => eb.fn.min<number>("id").as("id"))
        .where("agentId", "=", agentId)
        .where("hash", "=", hash)
        .where("state", "=", "granted");
      const { numUpdatedRows } = await db
        .updateTable("approval")
        .set({ state: "used" })
        .where("id", "=", granted)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

/** Inlined, because the planner uses the index `approval_asked` only for its literal condition. */
const ASKED = sql.lit("asked" as const);
