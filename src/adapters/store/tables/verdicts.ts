import type { ExpressionBuilder, Kysely } from "kysely";
import { z } from "zod";
import type { VerdictTable } from "../../../domain/ports/work-tables.ts";
import { type Reviewer, UNKNOWN_ACCOUNT } from "../../../domain/review/reviewer.ts";
import type { VerdictRow } from "../../../domain/review/verdict.ts";
import { codec } from "../sql/codec.ts";
import type { Schema, StoredVerdict } from "../sql/schema.ts";

const comment = z.strictObject({
  path: z.string(),
  line: z.int().nullable(),
  body: z.string(),
  inline: z.boolean(),
});

const rows = codec<StoredVerdict>(
  "verdict",
  z.object({
    id: z.int(),
    taskId: z.int(),
    agentId: z.int().nullable(),
    reviewer: z.string(),
    account: z.int().nullable(),
    state: z.enum(["current", "dropped"]),
    commitSha: z.string(),
    approves: z.boolean(),
    body: z.string(),
    comments: z.array(comment),
    evidence: z.array(z.string()),
    createdAt: z.int(),
  }),
);

function decode(row: Readonly<Record<string, unknown>>): VerdictRow {
  const { commitSha: commit, ...verdict } = rows.decode(row);
  // A person's verdict from before accounts were stored has none.
  const account = verdict.agentId === null ? (verdict.account ?? UNKNOWN_ACCOUNT) : null;
  return { ...verdict, account, commit };
}

type Where = ExpressionBuilder<Schema, "verdict">;

/** Expresses `isSameReviewer` as a condition. */
const isOf =
  ({ reviewer, account }: Reviewer) =>
  (by: Where) =>
    account === null
      ? by.and([by("agentId", "is not", null), by("reviewer", "=", reviewer)])
      : by.or([
          by("account", "=", account),
          by.and([by("agentId", "is", null), by("account", "is", null), by("reviewer", "=", reviewer)]),
        ]);

export function verdictTable(db: Kysely<Schema>): VerdictTable {
  const current = (taskId: number) =>
    db
      .updateTable("verdict")
      .set({ state: "dropped" })
      .where("taskId", "=", taskId)
      .where("state", "=", "current");
  return {
    add: async ({ commit, ...verdict }) => {
      await current(verdict.taskId).where(isOf(verdict)).where("commitSha", "=", commit).execute();
      const row = await db
        .insertInto("verdict")
        .values(rows.encode({ ...verdict, commitSha: commit, state: "current" }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return decode(row);
    },
    get: async (id) => {
      const row = await db.selectFrom("verdict").selectAll().where("id", "=", id).executeTakeFirst();
      return row && decode(row);
    },
    ofTask: async (taskId) => {
      const found = await db
        .selectFrom("verdict")
        .selectAll()
        .where("taskId", "=", taskId)
        .orderBy("id")
        .execute();
      return found.map(decode);
    },
    latestOf: async (role, limit) => {
      const found = await db
        .selectFrom("verdict")
        .selectAll()
        .where("reviewer", "=", role)
        .where("agentId", "is not", null)
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return found.map(decode);
    },
    commitOf: async (agentId) => {
      const row = await db
        .selectFrom("verdict")
        .select("commitSha")
        .where("agentId", "=", agentId)
        .where("state", "=", "current")
        .orderBy("id", "desc")
        .executeTakeFirst();
      return row?.commitSha;
    },
    lift: async (taskId, { reviewer, commit }) => {
      const lifted = await current(taskId)
        .where("agentId", "is", null)
        .where("approves", "=", rows.encode({ approves: false }).approves)
        .where(isOf(reviewer))
        .where("commitSha", "=", commit)
        .returningAll()
        .execute();
      return lifted.map(decode);
    },
    drop: async (taskId, { keep, reviewer }) => {
      const all = current(taskId);
      const chosen =
        keep === null
          ? all
          : all.where((by) =>
              by.or([by("commitSha", "!=", keep), ...(reviewer === undefined ? [] : [isOf(reviewer)(by)])]),
            );
      const dropped = await chosen.returningAll().execute();
      return dropped.map(decode);
    },
  };
}
