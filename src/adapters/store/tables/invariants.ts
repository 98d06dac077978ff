import { setImmediate } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Violation } from "../../../domain/ports/settings-tables.ts";
import { agentsInCycles, type Waits } from "../lists/waits-in-cycles.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";

type Rule = readonly [rule: string, table: "agent" | "task" | "effect", broken: RawBuilder<unknown>];

/** Rows examined by one statement; the event loop runs between statements. */
const SLICE = 2000;

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

const rules = (now: number): readonly Rule[] => [
  ["active_has_one_live_run", "agent", sql`state = 'ACTIVE' AND ${liveRuns} <> 1`],
  [
    "active_has_lease",
    "agent",
    sql`state = 'ACTIVE' AND (lease_until IS NULL OR lease_until < ${now - GRACE_MS})`,
  ],
  // Slots in use are agents at work plus pending stops: an agent that is both would count twice.
  ["active_has_its_own_slot", "agent", sql`state = 'ACTIVE' AND ${pendingStop}`],
  [
    "active_coder_has_task",
    "agent",
    sql`state = 'ACTIVE' AND coder = 1 AND NOT EXISTS (SELECT 1 FROM task
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

/**
 * Returns every violation with the ids of its rows, for `now` in milliseconds since the epoch. Changes
 * nothing.
 */
export async function checkInvariants(db: Kysely<Schema>, now: number): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const slices = {
    agent: await slicesOf(db, "agent"),
    task: await slicesOf(db, "task"),
    effect: await slicesOf(db, "effect"),
  };
  for (const [rule, table, broken] of rules(now)) {
    const ids: number[] = [];
    for (const slice of slices[table]) {
      if (slice.after > 0) await setImmediate();
      const { rows } = await sql<{ id: number }>`SELECT id FROM ${sql.table(table)} ${dialect.byIndex(null)}
        WHERE id > ${slice.after} AND id <= ${slice.to} AND ${broken} ORDER BY id`.execute(db);
      ids.push(...rows.map(({ id }) => id));
    }
    if (ids.length > 0) violations.push({ rule, table, ids });
  }
  const ids = agentsInCycles(await allWaits(db, slices.agent));
  return ids.length === 0
    ? violations
    : [...violations, { rule: "blocked_by_has_no_cycle", table: "agent", ids }];
}

interface Slice {
  readonly after: number;
  readonly to: number;
}

/** Splits the ids of a table into slices of `SLICE` rows. */
async function slicesOf(db: Kysely<Schema>, table: "agent" | "task" | "effect"): Promise<readonly Slice[]> {
  const slices: Slice[] = [];
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number | null }>`SELECT max(id) AS id FROM (SELECT id
      FROM ${sql.table(table)} WHERE id > ${after} ORDER BY id LIMIT ${SLICE}) AS slice`.execute(db);
    const to = rows[0]?.id ?? null;
    if (to === null) return slices;
    slices.push({ after, to });
    if (after > 0) await setImmediate();
    after = to;
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
    const { rows } = await sql<Blocked>`
      SELECT id, repository_id, issue, blocked_by, blocked_elsewhere FROM agent ${dialect.byIndex(null)}
      WHERE id > ${after} AND id <= ${to} AND state IN ${LIVE}
        AND (blocked_by <> '[]' OR blocked_elsewhere <> '[]')`.execute(db);
    all.push(...rows.flatMap(waitsOf));
  }
  return all;
}
