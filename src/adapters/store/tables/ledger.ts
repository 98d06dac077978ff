import { type Kysely, sql } from "kysely";
import type { LedgerTable } from "../../../domain/ports/audit-tables.ts";
import type { LedgerAgent, LedgerRows, UsageSum } from "../../../domain/reporting/postings.ts";
import { dialect, numbers } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";

const DAY_MS = 86_400_000;
/** Rows read in one slice. */
const ROWS = 500;
/** Issues whose rows are read in one slice. */
const ISSUES = 40;

type Issue = Pick<LedgerAgent, "repositoryId" | "issue">;
type Found = Issue & { readonly at: number; readonly id: number };

const NO_CHANGES: LedgerRows = { agents: [], usage: [], awake: [], ended: [], touches: [] };

/**
 * The ledger's events with the index that has each in order of time; the conditions must match the indexes
 * literally.
 */
const HAPPENED = (
  [
    [
      "usage",
      sql`usage ${dialect.byIndex("usage_in_time")} ${dialect.joinInOrder()} agent ON agent.id = usage.agent_id`,
      sql`true`,
    ],
    [
      "transition",
      sql`transition ${dialect.byIndex("transition_awake")}`,
      sql`machine = 'agent' AND (from_state = 'ACTIVE' OR to_state = 'ACTIVE')`,
    ],
    [
      "transition",
      sql`transition ${dialect.byIndex("transition_task_ended")}`,
      sql`machine = 'task' AND to_state IN ('MERGED', 'ABANDONED')`,
    ],
    ["touch", sql`touch ${dialect.byIndex("touch_in_time")}`, sql`true`],
  ] as const
).map(([table, from, where]) => ({ at: sql.ref(`${table}.at`), id: sql.ref(`${table}.id`), from, where }));

/** Reads what work cost and what people had to do for it: sums of usage, awake periods, ends and touches. */
export function ledgerTable(db: Kysely<Schema>): LedgerTable {
  return {
    touch: async (touch) => {
      await db
        .insertInto("touch")
        .values(touch)
        .onConflict((conflict) => conflict.columns(["repositoryId", "key"]).doNothing())
        .execute();
    },
    slices: async function* (since, part) {
      let issues: readonly Issue[];
      if (part !== null && part.issues !== null)
        issues = [...new Set(part.issues)].map((issue) => ({ repositoryId: part.repositoryId, issue }));
      else {
        const known = new Map<string, Issue>();
        for await (const page of issuesSince(db, since)) {
          for (const { repositoryId, issue } of page)
            if (part === null || part.repositoryId === repositoryId)
              known.set(`${repositoryId}#${issue}`, { repositoryId, issue });
          yield NO_CHANGES;
        }
        issues = [...known.values()];
      }
      for (let from = 0; from < issues.length; from += ISSUES)
        yield await rowsOf(db, issues.slice(from, from + ISSUES), since);
    },
  };
}

/** Yields issues with events since then, one page of rows at a time; an issue may come more than once. */
async function* issuesSince(db: Kysely<Schema>, since: number): AsyncGenerator<readonly Issue[]> {
  const { rows } = await sql<Issue>`SELECT repository_id, issue FROM agent WHERE state = 'ACTIVE'`.execute(
    db,
  );
  yield rows;
  for (const { at, id, from, where } of HAPPENED) {
    let last: Pick<Found, "at" | "id"> | undefined = { at: since, id: 0 };
    while (last !== undefined) {
      const { rows: page }: { readonly rows: readonly Found[] } =
        await sql<Found>`SELECT ${at}, ${id}, repository_id, issue FROM ${from}
          WHERE ${where} AND (${at}, ${id}) > (${last.at}, ${last.id})
          ORDER BY ${at}, ${id} LIMIT ${ROWS}`.execute(db);
      yield page;
      last = page.length < ROWS ? undefined : page.at(-1);
    }
  }
}

/** Joins a table's rows to the slice's issues. */
function here(table: string) {
  return sql`${sql.table(table)}.repository_id = one.repository_id AND ${sql.table(table)}.issue = one.issue`;
}

/** Reads all rows of the issues, with statements that look up only these issues. */
async function rowsOf(db: Kysely<Schema>, issues: readonly Issue[], since: number): Promise<LedgerRows> {
  const of = sql`${dialect.rows(
    { repository_id: "number", issue: "number" },
    issues.map(({ repositoryId, issue }) => ({ repository_id: repositoryId, issue })),
  )} AS one`;
  const agents = (
    await sql<Omit<LedgerAgent, "coder"> & { coder: number }>`
      SELECT id, agent.repository_id, agent.issue, name, role, runtime, coder, created_at,
        CASE WHEN state = 'ACTIVE' THEN active_since END AS active_since
      FROM ${of} ${dialect.joinInOrder()} agent ON ${here("agent")} ORDER BY id`.execute(db)
  ).rows.map((row) => ({ ...row, coder: row.coder === 1 }));
  const usage = await sql<UsageSum>`
    SELECT agent_id, model, at / ${sql.lit(DAY_MS)} AS day, sum(input_tokens) AS input_tokens,
      sum(cached_tokens) AS cached_tokens, sum(output_tokens) AS output_tokens,
      sum(cost_micro_usd) AS cost_micro_usd
    FROM ${numbers(agents.map(({ id }) => id))} AS one ${dialect.joinInOrder()} usage ON usage.agent_id = one.value
    WHERE at >= ${since}
    GROUP BY agent_id, model, at / ${sql.lit(DAY_MS)} ORDER BY min(usage.id)`.execute(db);
  const moves = await sql<Move>`
    SELECT machine, record_id, transition.repository_id, transition.issue, at, to_state, assignee_id
    FROM ${of} ${dialect.joinInOrder()} transition ${dialect.byIndex("transition_of_issue")} ON ${here("transition")}
    LEFT JOIN task ON machine = 'task' AND task.id = record_id
    WHERE at >= ${since} AND ((machine = 'agent' AND (from_state = 'ACTIVE' OR to_state = 'ACTIVE')
        AND from_state != to_state) OR (machine = 'task' AND to_state IN ('MERGED', 'ABANDONED')))
    ORDER BY transition.id`.execute(db);
  const touches = await sql<LedgerRows["touches"][number]>`
    SELECT touch.repository_id, touch.issue, kind, key, at
    FROM ${of} ${dialect.joinInOrder()} touch ${dialect.byIndex("touch_of_issue")} ON ${here("touch")}
    WHERE at >= ${since} ORDER BY touch.id`.execute(db);
  return { agents, usage: usage.rows, ...byMachine(moves.rows), touches: touches.rows };
}

interface Move extends Issue {
  readonly machine: "agent" | "task";
  readonly recordId: number;
  readonly at: number;
  readonly toState: string;
  readonly assigneeId: number | null;
}

function byMachine(moves: readonly Move[]): Pick<LedgerRows, "awake" | "ended"> {
  const of = (machine: Move["machine"]) => moves.filter((move) => move.machine === machine);
  return {
    awake: of("agent").map(({ recordId: agentId, at, toState }) => ({
      agentId,
      at,
      begins: toState === "ACTIVE",
    })),
    ended: of("task").map(({ repositoryId, issue, at, toState, assigneeId }) => ({
      repositoryId,
      issue,
      at,
      merged: toState === "MERGED",
      coderId: assigneeId,
    })),
  };
}
