import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** Rows that break one rule of the lifecycles. */
export interface Violation {
  readonly rule: string;
  readonly table: string;
  readonly ids: readonly number[];
}

type Rule = readonly [rule: string, table: "agent" | "task" | "effect", ids: RawBuilder<{ id: number }>];

/** How long an agent's lease may be over before somebody must have noticed. */
const GRACE_MS = 60_000;

const LIVE = sql`('CREATED', 'ACTIVE', 'SLEEPING', 'ESCALATED')`;
const liveRuns = sql`(SELECT count(*) FROM run WHERE run.agent_id = agent.id
  AND run.state NOT IN ('idle', 'succeeded', 'failed', 'cancelled'))`;
const wakePending = sql`EXISTS (SELECT 1 FROM wake WHERE wake.agent_id = agent.id AND wake.state = 'pending')`;
const pendingStop = sql`EXISTS (SELECT 1 FROM effect WHERE effect.agent_id = agent.id
  AND effect.kind = 'close_session' AND effect.state IN ('pending', 'leased'))`;
const hasProcess = sql`(
  EXISTS (SELECT 1 FROM session WHERE session.agent_id = agent.id
    AND session.state IN ('starting', 'running', 'idle', 'waiting_approval', 'paused', 'stopping'))
  AND NOT ${pendingStop})`;

const agents = (violation: RawBuilder<unknown>) =>
  sql<{ id: number }>`SELECT id FROM agent WHERE ${violation} ORDER BY id`;
const tasks = (violation: RawBuilder<unknown>) =>
  sql<{ id: number }>`SELECT id FROM task WHERE ${violation} ORDER BY id`;
const effects = (violation: RawBuilder<unknown>) =>
  sql<{ id: number }>`SELECT id FROM effect WHERE ${violation} ORDER BY id`;

const rivals = (also: RawBuilder<unknown>) =>
  agents(sql`state IN ${LIVE} AND EXISTS (SELECT 1 FROM agent AS other WHERE other.id <> agent.id
    AND other.repository_id = agent.repository_id AND other.issue = agent.issue
    AND other.state IN ${LIVE} AND ${also})`);

/** Issues that wait for each other, over any number of steps. */
const inCycle = sql<{ id: number }>`
WITH RECURSIVE
  waits (repository_id, issue, in_repository, blocker) AS (
    SELECT repository_id, issue, repository_id, value FROM agent, json_each(agent.blocked_by)
      WHERE state IN ${LIVE}
    UNION ALL
    SELECT repository_id, issue, value ->> 'repositoryId', value ->> 'number'
      FROM agent, json_each(agent.blocked_elsewhere) WHERE state IN ${LIVE}),
  reach (repository_id, issue, in_repository, blocker) AS (
    SELECT * FROM waits
    UNION
    SELECT reach.repository_id, reach.issue, waits.in_repository, waits.blocker FROM reach JOIN waits
      ON waits.repository_id = reach.in_repository AND waits.issue = reach.blocker)
SELECT id FROM agent WHERE state IN ${LIVE} AND EXISTS (
  SELECT 1 FROM reach WHERE reach.repository_id = agent.repository_id AND reach.issue = agent.issue
    AND reach.in_repository = agent.repository_id AND reach.blocker = agent.issue)
ORDER BY id`;

const rules = (now: number): readonly Rule[] => [
  ["active_has_one_live_run", "agent", agents(sql`state = 'ACTIVE' AND ${liveRuns} <> 1`)],
  [
    "active_has_lease",
    "agent",
    agents(sql`state = 'ACTIVE' AND (lease_until IS NULL OR lease_until < ${now - GRACE_MS})`),
  ],
  // Slots in use are counted as agents at work and stops under way: one that is both would hold two slots in one.
  ["active_has_its_own_slot", "agent", agents(sql`state = 'ACTIVE' AND ${pendingStop}`)],
  [
    "active_coder_has_task",
    "agent",
    agents(sql`state = 'ACTIVE' AND coder = 1 AND NOT EXISTS (SELECT 1 FROM task
      WHERE task.assignee_id = agent.id AND task.state NOT IN ('MERGED', 'SUPERSEDED', 'ABANDONED'))`),
  ],
  ["sleeping_has_live_run", "agent", agents(sql`state = 'SLEEPING' AND ${liveRuns} = 0`)],
  ["sleeping_has_reason", "agent", agents(sql`state = 'SLEEPING' AND sleep_reason IS NULL`)],
  [
    "sleeping_will_wake_or_expire",
    "agent",
    agents(sql`state = 'SLEEPING' AND NOT ${wakePending} AND (
      sleeping_since IS NULL
      OR sleep_reason = 'restart'
      OR (sleep_reason = 'blocked' AND blocked_by = '[]' AND blocked_elsewhere = '[]')
      OR (sleep_reason = 'paused' AND held_by = '[]')
      OR (sleep_reason = 'question' AND NOT EXISTS (SELECT 1 FROM question
        WHERE question.agent_id = agent.id AND question.state = 'OPEN'))
      OR (sleep_reason IN ('retry', 'provider_limit', 'time') AND due_at IS NULL))`),
  ],
  [
    "resting_has_no_process",
    "agent",
    agents(sql`state IN ('SLEEPING', 'ESCALATED', 'COMPLETED', 'FAILED', 'CANCELLED') AND ${hasProcess}`),
  ],
  ["one_live_agent_of_role", "agent", rivals(sql`other.role = agent.role`)],
  ["one_live_coder", "agent", rivals(sql`other.coder = 1 AND agent.coder = 1`)],
  ["blocked_by_has_no_cycle", "agent", inCycle],
  ["draft_has_no_assignee", "task", tasks(sql`state = 'DRAFT' AND assignee_id IS NOT NULL`)],
  [
    "claimed_has_assignee_worktree_and_lease",
    "task",
    tasks(sql`state = 'CLAIMED' AND (assignee_id IS NULL OR worktree IS NULL OR lease_until IS NULL)`),
  ],
  ["ready_for_review_has_commit", "task", tasks(sql`state = 'READY_FOR_REVIEW' AND review_commit IS NULL`)],
  ["rejected_has_reason", "task", tasks(sql`state = 'REJECTED' AND rejection_reason IS NULL`)],
  ["blocked_has_reason", "task", tasks(sql`state = 'BLOCKED' AND blocked_reason IS NULL`)],
  [
    "superseded_has_successor",
    "task",
    tasks(sql`state = 'SUPERSEDED' AND (superseded_by IS NULL OR rescope_reason IS NULL)`),
  ],
  [
    "integration_fix_follows_a_failed_integration",
    "task",
    tasks(sql`integration_fix = 1 AND NOT EXISTS (SELECT 1 FROM transition WHERE transition.machine = 'task'
      AND transition.record_id = task.id AND transition.to_state = 'INTEGRATION_FAILED')`),
  ],
  ["merged_has_no_worktree", "task", tasks(sql`state = 'MERGED' AND worktree IS NOT NULL`)],
  [
    "lane_has_one_leased_effect",
    "effect",
    effects(sql`state = 'leased' AND EXISTS (SELECT 1 FROM effect AS other
      WHERE other.lane = effect.lane AND other.state = 'leased' AND other.id <> effect.id)`),
  ],
  ["leased_effect_has_end", "effect", effects(sql`(state = 'leased') <> (leased_until IS NOT NULL)`)],
];

/** Every violation, with the ids of its rows; for `now` in milliseconds since the epoch. Changes nothing. */
export async function checkInvariants(db: Kysely<Schema>, now: number): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const [rule, table, query] of rules(now)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) violations.push({ rule, table, ids: rows.map(({ id }) => id) });
  }
  return violations;
}
