import { setImmediate } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Violation } from "../../../domain/ports/settings-tables.ts";
import { agentsInCycles, type Waits } from "../lists/waits-in-cycles.ts";
import { dialect } from "../sql/dialect.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";

type Checked = "agent" | "task" | "effect";
type Rule = readonly [rule: string, table: Checked, broken: RawBuilder<unknown>];

/** Rows examined by one statement, for all rules of their table; the event loop runs between statements. */
const SLICE = 200;

/** How long a lease may be expired before something must have noticed. */
const GRACE_MS = 60_000;

const LIVE = sql`('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED')`;
const liveRuns = sql`(SELECT count(*) FROM run WHERE run.agent_id = agent.id
  AND run.state NOT IN ('idle', 'succeeded', 'failed', 'cancelled'))`;
const wakePending = sql`EXISTS (SELECT 1 FROM wake WHERE wake.agent_id = agent.id AND wake.state = 'pending')`;
const pendingStop = sql`EXISTS (SELECT 1 FROM effect WHERE effect.agent_id = agent.id
  AND effect.kind = 'close_session' AND effect.state IN ('pending', 'leased'))`;
const conversation = (is: RawBuilder<unknown>) =>
  sql`EXISTS (SELECT 1 FROM session WHERE session.agent_id = agent.id AND ${is})`;
const present = sql`session.session_id = agent.session_id`;

const rivals = (also: RawBuilder<unknown>) =>
  sql`state IN ${LIVE} AND EXISTS (SELECT 1 FROM agent AS other WHERE other.id <> agent.id
    AND other.repository_id = agent.repository_id AND other.issue = agent.issue
    AND other.state IN ${LIVE} AND ${also})`;

const rules = (expired: number): readonly Rule[] => [
  ["active_has_one_live_run", "agent", sql`state = 'ACTIVE' AND ${liveRuns} <> 1`],
  ["active_has_lease", "agent", sql`state = 'ACTIVE' AND (lease_until IS NULL OR lease_until < ${expired})`],
  // Slots in use are agents at work plus pending stops: an agent that is both would count twice.
  ["active_has_its_own_slot", "agent", sql`state = 'ACTIVE' AND ${pendingStop}`],
  [
    "active_coder_has_task",
    "agent",
    // On a person's pull request it has none.
    sql`state = 'ACTIVE' AND coder = 1 AND (pr_number IS NULL OR pr_number <> issue) AND NOT EXISTS (SELECT 1 FROM task
      WHERE task.assignee_id = agent.id AND task.state NOT IN ('MERGED', 'SUPERSEDED', 'ABANDONED'))`,
  ],
  ["sleeping_has_live_run", "agent", sql`state = 'SLEEPING' AND ${liveRuns} = 0`],
  ["sleeping_has_reason", "agent", sql`state = 'SLEEPING' AND sleep_reason IS NULL`],
  [
    "sleeping_will_wake_or_expire",
    "agent",
    sql`state = 'SLEEPING' AND NOT ${wakePending} AND (
      sleeping_since IS NULL
      OR sleep_reason = 'restart'
      OR (sleep_reason = 'blocked' AND blocked_by = '[]' AND blocked_elsewhere = '[]')
      OR (sleep_reason = 'paused' AND held_by = '[]')
      OR (sleep_reason = 'question' AND NOT EXISTS (SELECT 1 FROM question
        WHERE question.agent_id = agent.id AND question.state = 'OPEN'))
      OR (sleep_reason IN ('retry', 'provider_limit', 'time') AND due_at IS NULL))`,
  ],
  [
    "resting_has_no_process",
    "agent",
    sql`NOT ${pendingStop} AND ((state IN ('SLEEPING', 'ESCALATED')
        AND ${conversation(sql`session.state IN ('starting', 'running', 'stopping')`)})
      OR (state IN ('COMPLETED', 'FAILED', 'CANCELLED')
        AND ${conversation(sql`session.state NOT IN ('stopped', 'failed')`)}))`,
  ],
  [
    "active_has_live_conversation",
    "agent",
    sql`state = 'ACTIVE' AND ${conversation(sql`${present} AND session.state IN ('stopping', 'stopped', 'failed')`)}`,
  ],
  // An idle session has the same state as its agent.
  [
    "resting_conversation_says_why",
    "agent",
    sql`state IN ('SLEEPING', 'ESCALATED') AND ${conversation(sql`${present}
      AND session.state IN ('idle', 'waiting_approval', 'paused')
      AND session.state <> CASE WHEN agent.held_by <> '[]' OR coalesce(agent.sleep_reason, '') = 'paused' THEN 'paused'
        WHEN agent.sleep_reason = 'approval' THEN 'waiting_approval' ELSE 'idle' END`)}`,
  ],
  ["one_live_agent_of_role", "agent", rivals(sql`other.role = agent.role`)],
  ["one_live_coder", "agent", rivals(sql`other.coder = 1 AND agent.coder = 1`)],
  ["draft_has_no_assignee", "task", sql`state = 'DRAFT' AND assignee_id IS NOT NULL`],
  [
    "claimed_has_assignee_worktree_and_lease",
    "task",
    sql`state = 'CLAIMED' AND (assignee_id IS NULL OR worktree IS NULL OR lease_until IS NULL)`,
  ],
  ["ready_for_review_has_commit", "task", sql`state = 'READY_FOR_REVIEW' AND review_commit IS NULL`],
  ["rejected_has_reason", "task", sql`state = 'REJECTED' AND rejection_reason IS NULL`],
  ["blocked_has_reason", "task", sql`state = 'BLOCKED' AND blocked_reason IS NULL`],
  [
    "superseded_has_successor",
    "task",
    sql`state = 'SUPERSEDED' AND (superseded_by IS NULL OR rescope_reason IS NULL)`,
  ],
  [
    "integration_fix_follows_a_failed_integration",
    "task",
    sql`integration_fix = 1 AND NOT EXISTS (SELECT 1 FROM transition WHERE transition.machine = 'task'
      AND transition.record_id = task.id AND transition.to_state = 'INTEGRATION_FAILED')`,
  ],
  ["merged_has_no_worktree", "task", sql`state = 'MERGED' AND worktree IS NOT NULL`],
  [
    "lane_has_one_leased_effect",
    "effect",
    sql`state = 'leased' AND EXISTS (SELECT 1 FROM effect AS other
      WHERE other.lane = effect.lane AND other.state = 'leased' AND other.id <> effect.id)`,
  ],
  ["leased_effect_has_end", "effect", sql`(state = 'leased') <> (leased_until IS NOT NULL)`],
];

/** The rules of each table, in the order of `rules`. */
const RULES = Map.groupBy(
  rules(0).map(([rule, table]) => ({ rule, table })),
  ({ table }) => table,
);

/**
 * Returns every violation with the ids of its rows, for `now` in milliseconds since the epoch. Changes
 * nothing.
 */
export async function checkInvariants(db: Kysely<Schema>, now: number): Promise<readonly Violation[]> {
  const agents = await slicesOf(db, "agent");
  const violations = [
    ...(await brokenIn(db, "agent", agents, now)),
    ...(await brokenIn(db, "task", await slicesOf(db, "task"), now)),
    ...(await brokenIn(db, "effect", await slicesOf(db, "effect"), now)),
  ];
  const ids = agentsInCycles(await allWaits(db, agents));
  return ids.length === 0
    ? violations
    : [...violations, { rule: "blocked_by_has_no_cycle", table: "agent", ids }];
}

/** Checks a table against its rules, a slice with all of them at once. */
async function brokenIn(
  db: Kysely<Schema>,
  table: Checked,
  slices: readonly Slice[],
  now: number,
): Promise<readonly Violation[]> {
  const violations = (RULES.get(table) ?? []).map(({ rule }) => ({ rule, table, ids: [] as number[] }));
  const expired = now - GRACE_MS;
  for (const { after, to } of slices) {
    if (after > 0) await setImmediate();
    // Only the leases of agents depend on the time.
    const values = table === "agent" ? [expired, after, to] : [after, to];
    const rows = await keptRows(db, `broken ${table}s`, values, () =>
      brokenRows(table, expired, { after, to }).compile(db),
    );
    for (const row of rows)
      for (const [number, { ids }] of violations.entries()) if (row[`r${number}`] === 1) ids.push(row.id);
  }
  return violations.filter(({ ids }) => ids.length > 0);
}

/** Returns a query for the rows of a slice that break a rule, with a column for each rule of their table. */
function brokenRows(table: Checked, expired: number, { after, to }: Slice): RawBuilder<BrokenRow> {
  const ofTable = rules(expired).filter((rule) => rule[1] === table);
  const columns = ofTable.map(([, , broken], number) => sql`${broken} AS ${column(number)}`);
  return sql`SELECT * FROM (SELECT id, ${sql.join(columns)} FROM ${sql.table(table)} ${dialect.byIndex(null)}
    WHERE id > ${after} AND id <= ${to}) AS slice
    WHERE ${sql.join(
      columns.map((_, number) => column(number)),
      sql` OR `,
    )} ORDER BY id`;
}

const column = (number: number) => sql.ref(`r${number}`);

/** 1 for each rule that the row breaks. */
type BrokenRow = { readonly id: number } & { readonly [rule: `r${number}`]: number | null };

interface Slice {
  readonly after: number;
  readonly to: number;
}

/** Splits the ids of a table into slices of `SLICE` rows. */
async function slicesOf(db: Kysely<Schema>, table: Checked): Promise<readonly Slice[]> {
  const slices: Slice[] = [];
  for (let after = 0; ; ) {
    const [slice] = await keptRows(db, `slice of ${table}s`, [after, SLICE], () =>
      sql<{ to: number | null; rows: number }>`SELECT max(id) AS "to", count(*) AS "rows" FROM (SELECT id
        FROM ${sql.table(table)} WHERE id > ${after} ORDER BY id LIMIT ${SLICE}) AS slice`.compile(db),
    );
    if (slice === undefined || slice.to === null) return slices;
    slices.push({ after, to: slice.to });
    if (slice.rows < SLICE) return slices;
    await setImmediate();
    after = slice.to;
  }
}

interface Blocked {
  readonly id: number;
  readonly repositoryId: number;
  readonly issue: number;
  readonly blockedBy: string;
  readonly blockedElsewhere: string;
}

const hereBlockers = z.array(z.int());
const otherBlockers = z.array(z.object({ repositoryId: z.int(), number: z.int() }));

function waitsOf({ id, repositoryId, issue, blockedBy, blockedElsewhere }: Blocked): readonly Waits[] {
  const here = hereBlockers.parse(JSON.parse(blockedBy)).map((number) => ({ repositoryId, number }));
  return [...here, ...otherBlockers.parse(JSON.parse(blockedElsewhere))].map((blocker) => ({
    id,
    issue: `${repositoryId}#${issue}`,
    blocker: `${blocker.repositoryId}#${blocker.number}`,
  }));
}

/** Reads what live agents wait for. */
async function allWaits(db: Kysely<Schema>, slices: readonly Slice[]): Promise<readonly Waits[]> {
  const all: Waits[] = [];
  for (const { after, to } of slices) {
    if (after > 0) await setImmediate();
    const rows = await keptRows(db, "waits of live agents", [after, to], () =>
      sql<Blocked>`SELECT id, repository_id, issue, blocked_by, blocked_elsewhere
        FROM agent ${dialect.byIndex(null)} WHERE id > ${after} AND id <= ${to} AND state IN ${LIVE}
        AND (blocked_by <> '[]' OR blocked_elsewhere <> '[]')`.compile(db),
    );
    all.push(...rows.flatMap(waitsOf));
  }
  return all;
}
