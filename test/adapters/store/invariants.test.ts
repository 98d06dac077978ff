import { join } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { fileStore } from "../../factories/file-store.ts";
import { effect, insertAgent, run, session, task, wake } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

const NOW = 1_000_000;
/** Ids in the sound world below. */
const ACTIVE = 1;
const SLEEPING = 2;
const COMPLETED = 3;

/** SQL that makes a row of another, different only where it is said. */
function copyOf(table: "agent" | "run", from: number, to: number, different = "version = 1"): string {
  return `DROP TABLE IF EXISTS temp.copy; CREATE TEMP TABLE copy AS SELECT * FROM ${table} WHERE id = ${from};
    UPDATE copy SET id = ${to}, ${different}; INSERT INTO ${table} SELECT * FROM copy`;
}

const claimed = (issue: number, assigneeId: number) =>
  task({ issue, state: "CLAIMED", assigneeId, worktree: `feat-dev-issue-${issue}`, leaseUntil: NOW });

let store: OpenStore;
let raw: Database;

/** One agent at work on #1, one that waits for it on #2, one that is done with #3. */
beforeEach(async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  store = await fileStore(path);
  const lease = { state: "ACTIVE", token: 1, leaseUntil: NOW + 1 } as const;
  await insertAgent(store, { issue: 1, coder: true, ...lease });
  const waits = { state: "SLEEPING", sleepReason: "blocked", sleepingSince: 5 } as const;
  await insertAgent(store, { issue: 2, coder: true, blockedBy: [1], ...waits });
  await insertAgent(store, { issue: 3, state: "COMPLETED" });
  const { records } = store;
  await records.insert("run", run({ agentId: ACTIVE, issue: 1, state: "executing" }));
  await records.insert("run", run({ agentId: SLEEPING, issue: 2, state: "waiting_agent" }));
  await records.insert("run", run({ agentId: COMPLETED, issue: 3, state: "succeeded" }));
  await records.insert("session", session({ agentId: ACTIVE, state: "running" }));
  await records.insert("session", session({ agentId: SLEEPING, state: "stopped" }));
  await records.insert("session", session({ agentId: COMPLETED, state: "stopped" }));
  await records.insert("task", claimed(1, ACTIVE));
  await records.insert("task", claimed(2, SLEEPING));
  await store.effects.add([effect({ key: "a", lane: "x" }), effect({ key: "b", lane: "x" })]);
  raw = new SqliteDatabase(path);
});

afterEach(async () => {
  raw.close();
  await store.close();
});

test("a sound database has no violations", async () => {
  expect(await store.checkInvariants(NOW)).toEqual([]);
});

test("a lease is forgiven for 60 seconds after its end", async () => {
  expect(await store.checkInvariants(NOW + 60_001)).toEqual([]);
  expect(await store.checkInvariants(NOW + 60_002)).toEqual([
    { rule: "active_has_lease", table: "agent", ids: [ACTIVE] },
  ]);
});

const sleepsFor = (reason: string) => `UPDATE agent SET sleep_reason = '${reason}' WHERE id = 2`;

describe("a violation is reported with its rule and ids", () => {
  test.each([
    [
      "active_has_one_live_run",
      "its run failed",
      [ACTIVE],
      "UPDATE run SET state = 'failed' WHERE agent_id = 1",
    ],
    ["active_has_one_live_run", "it has two runs", [ACTIVE], copyOf("run", 1, 9)],
    ["active_has_lease", "there is none", [ACTIVE], "UPDATE agent SET lease_until = NULL WHERE id = 1"],
    [
      "active_coder_has_task",
      "its task was abandoned",
      [ACTIVE],
      "UPDATE task SET state = 'ABANDONED' WHERE id = 1",
    ],
    [
      "sleeping_has_live_run",
      "its run was cancelled",
      [SLEEPING],
      "UPDATE run SET state = 'cancelled' WHERE agent_id = 2",
    ],
    ["sleeping_has_reason", "there is none", [SLEEPING], "UPDATE agent SET sleep_reason = NULL WHERE id = 2"],
    [
      "sleeping_will_wake_or_expire",
      "what blocked it is gone",
      [SLEEPING],
      "UPDATE agent SET blocked_by = '[]' WHERE id = 2",
    ],
    [
      "sleeping_will_wake_or_expire",
      "it never fell asleep",
      [SLEEPING],
      "UPDATE agent SET sleeping_since = NULL WHERE id = 2",
    ],
    ["sleeping_will_wake_or_expire", "a restart left no wake", [SLEEPING], sleepsFor("restart")],
    ["sleeping_will_wake_or_expire", "a retry has no time", [SLEEPING], sleepsFor("retry")],
    ["sleeping_will_wake_or_expire", "nobody holds it paused", [SLEEPING], sleepsFor("paused")],
    [
      "sleeping_will_wake_or_expire",
      "it waits for an answer and asks nothing",
      [SLEEPING],
      sleepsFor("question"),
    ],
    [
      "resting_has_no_process",
      "it completed",
      [COMPLETED],
      "UPDATE session SET state = 'idle' WHERE agent_id = 3",
    ],
    [
      "resting_has_no_process",
      "it sleeps",
      [SLEEPING],
      "UPDATE session SET state = 'running' WHERE agent_id = 2",
    ],
    [
      "one_live_agent_of_role",
      "on one issue",
      [ACTIVE, SLEEPING],
      "DROP INDEX agent_one_live_of_role; DROP INDEX agent_one_live_coder; UPDATE agent SET issue = 1, coder = 0, blocked_by = '[9]' WHERE id = 2",
    ],
    [
      "one_live_coder",
      "of two roles",
      [ACTIVE, SLEEPING],
      "DROP INDEX agent_one_live_coder; UPDATE agent SET issue = 1, role = 'docs-dev', blocked_by = '[9]' WHERE id = 2",
    ],
    [
      "blocked_by_has_no_cycle",
      "it waits for itself",
      [SLEEPING],
      "UPDATE agent SET blocked_by = '[2]' WHERE id = 2",
    ],
    [
      "blocked_by_has_no_cycle",
      "three wait for each other",
      [ACTIVE, SLEEPING, 4],
      `${copyOf("agent", 2, 4, "name = 'x', issue = 5, blocked_by = '[2]'")}; ${copyOf("run", 2, 9, "agent_id = 4")};
       UPDATE agent SET blocked_by = '[5]' WHERE id = 1`,
    ],
    ["draft_has_no_assignee", "it has one", [2], "UPDATE task SET state = 'DRAFT' WHERE id = 2"],
    [
      "claimed_has_assignee_worktree_and_lease",
      "it has no lease",
      [2],
      "UPDATE task SET lease_until = NULL WHERE id = 2",
    ],
    [
      "claimed_has_assignee_worktree_and_lease",
      "it has no assignee",
      [2],
      "UPDATE task SET assignee_id = NULL WHERE id = 2",
    ],
    [
      "claimed_has_assignee_worktree_and_lease",
      "it has no worktree",
      [2],
      "UPDATE task SET worktree = NULL WHERE id = 2",
    ],
    [
      "integration_fix_follows_a_failed_integration",
      "no integration had failed",
      [2],
      "UPDATE task SET integration_fix = 1 WHERE id = 2",
    ],
    [
      "active_has_its_own_slot",
      "its last stop is still pending",
      [ACTIVE],
      `UPDATE effect SET kind = 'close_session', agent_id = 1 WHERE id = 1`,
    ],
    [
      "resting_has_no_process",
      "it waits for a person",
      [COMPLETED],
      "UPDATE agent SET state = 'ESCALATED' WHERE id = 3; UPDATE session SET state = 'starting' WHERE agent_id = 3",
    ],
    [
      "ready_for_review_has_commit",
      "it has none",
      [2],
      "UPDATE task SET state = 'READY_FOR_REVIEW' WHERE id = 2",
    ],
    ["rejected_has_reason", "it has none", [2], "UPDATE task SET state = 'REJECTED' WHERE id = 2"],
    ["blocked_has_reason", "it has none", [2], "UPDATE task SET state = 'BLOCKED' WHERE id = 2"],
    ["superseded_has_successor", "it has none", [2], "UPDATE task SET state = 'SUPERSEDED' WHERE id = 2"],
    [
      "merged_has_no_worktree",
      "it has one",
      [2],
      "UPDATE task SET state = 'MERGED', worktree = 'w' WHERE id = 2",
    ],
    [
      "lane_has_one_leased_effect",
      "two of a lane are leased",
      [1, 2],
      "UPDATE effect SET state = 'leased', leased_until = 5",
    ],
    ["leased_effect_has_end", "it has none", [1], "UPDATE effect SET state = 'leased' WHERE id = 1"],
  ])("%s: %s", async (rule, _, ids, sql) => {
    raw.exec(sql);
    expect(await store.checkInvariants(NOW)).toEqual([
      { rule, table: expect.stringMatching(/^(agent|task|effect)$/), ids },
    ]);
  });
});

test("a process may still be there while its stop is pending", async () => {
  const payload = { kind: "close_session", checkpoint: true, destroy: true } as const;
  await store.effects.add([effect({ key: "close", lane: "agent:3", agentId: COMPLETED, payload })]);
  raw.exec("UPDATE session SET state = 'stopping' WHERE agent_id = 3");
  expect(await store.checkInvariants(NOW)).toEqual([]);
});

test("a failed integration may be fixed", async () => {
  raw.exec(`UPDATE task SET integration_fix = 1 WHERE id = 2;
    INSERT INTO transition (at, machine, record_id, repository_id, issue, actor, event, from_state, to_state, evidence)
      VALUES (1, 'task', 2, 7, 2, 'alice', 'INTEGRATION_FAIL', 'APPROVED', 'INTEGRATION_FAILED', 'null')`);
  expect(await store.checkInvariants(NOW)).toEqual([]);
});

test("a pending wake is something that will wake", async () => {
  raw.exec("UPDATE agent SET sleep_reason = 'restart' WHERE id = 2");
  await store.wakes.add(wake({ key: "restart", agentId: SLEEPING, reason: "restart" }));
  expect(await store.checkInvariants(NOW)).toEqual([]);
});

test("waits that end are no cycle, and neither are those of agents that have ended", async () => {
  raw.exec(
    "UPDATE agent SET blocked_by = '[3]' WHERE id = 1; UPDATE agent SET blocked_by = '[2]' WHERE id = 3",
  );
  expect(await store.checkInvariants(NOW)).toEqual([]);
});
