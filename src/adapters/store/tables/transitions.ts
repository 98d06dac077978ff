import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { MACHINE_NAMES, type TransitionRow } from "../../../domain/kernel/rows.ts";
import type { NewTransition } from "../../../domain/ports/audit-tables.ts";
import type { Tables } from "../../../domain/ports/store.ts";
import { codec } from "../sql/codec.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema, StoredTransition } from "../sql/schema.ts";

const rows = codec<StoredTransition>(
  "transition",
  z.object({
    id: z.int(),
    at: z.int(),
    machine: z.enum(MACHINE_NAMES),
    recordId: z.int(),
    agentId: z.int().nullable(),
    repositoryId: z.int(),
    issue: z.int(),
    actor: z.string(),
    event: z.string(),
    fromState: z.string(),
    toState: z.string(),
    reason: z.string().nullable(),
    evidence: z.unknown(),
    delivery: z.string().nullable(),
  }),
);

export function decodeTransition(row: Readonly<Record<string, unknown>>): TransitionRow {
  const { fromState, toState, ...transition } = rows.decode(row);
  return { ...transition, from: fromState, to: toState };
}

function encoded({ from, to, acted = false, ...transition }: NewTransition) {
  return { ...rows.encode({ ...transition, fromState: from, toState: to }), acted: Number(acted) };
}

/** A statement has room for so many rows: one of the databases takes at most 32,766 values. */
const MOST_AT_ONCE = 2000;

/** Stores every transition of a machine; rows never change. */
export function transitionTable(db: Kysely<Schema>): Tables["transitions"] {
  const all = db.selectFrom("transition").selectAll();
  const insert = (columns: readonly ReturnType<typeof encoded>[]) =>
    keptRows(
      db,
      `insert ${columns.length} transitions ${columns.map((one) => Object.keys(one).join()).join(" ")}`,
      columns.flatMap((one) => Object.values(one)),
      () => db.insertInto("transition").values(columns).compile(),
    );
  return {
    add: async (...added) => {
      const columns = added.map(encoded);
      for (let first = 0; first < columns.length; first += MOST_AT_ONCE)
        await insert(columns.slice(first, first + MOST_AT_ONCE));
    },
    ofAgent: async (agentId) =>
      (await all.where("agentId", "=", agentId).orderBy("id").execute()).map(decodeTransition),
    ofIssue: async (repositoryId, issue, limit) => {
      const ofIssue = all.where("repositoryId", "=", repositoryId).where("issue", "=", issue);
      const latest = await ofIssue.orderBy("id", "desc").limit(limit).execute();
      return latest.toReversed().map(decodeTransition);
    },
    ofSprint: async ({ repositoryId, id }) => {
      const found = await all
        .where("repositoryId", "=", repositoryId)
        .where("event", "in", ["CHECKPOINT", "CONTINUE"])
        .where("machine", "=", "sprint")
        .where("recordId", "=", id)
        .orderBy("id")
        .execute();
      return found.map(decodeTransition);
    },
    failures: async (since) => {
      // Inlined, because the planner uses the index `transition_failure` only for its literal condition.
      const failed = sql<boolean>`event IN ('FAIL', 'WAIT', 'ESCALATE')`;
      const found = await all
        .where("at", ">", since)
        .where(failed)
        .where("machine", "=", "agent")
        // Ordered by `at`, because for an order by id alone a planner walks the whole table.
        .orderBy("at")
        .orderBy("id")
        .execute();
      return found
        .map(decodeTransition)
        .filter(({ event, reason }) => event !== "WAIT" || reason?.startsWith("retry: "));
    },
    starts: async (repositoryId, issue, since) =>
      (
        await db
          .selectFrom("transition")
          .select("id")
          .where("repositoryId", "=", repositoryId)
          .where("issue", "=", issue)
          .where("machine", "=", "agent")
          .where("event", "=", "START")
          .where("at", ">", since)
          .execute()
      ).length,
    after: async (id, limit) =>
      (await all.where("id", ">", id).orderBy("id").limit(limit).execute()).map(decodeTransition),
  };
}
