import { describe, expect, it } from "vitest";
import { WAKE_REASONS } from "../../../src/domain/agents/agent-record.ts";
import { noProgressYet, type Progress } from "../../../src/domain/breakers/progress.ts";
import {
  NO_PROGRESS,
  type ProgressRow,
  progressSince,
} from "../../../src/domain/breakers/progress-memory.ts";
import type { TransitionRow, WakeRow } from "../../../src/domain/kernel/rows.ts";
import { AT } from "../../factories/moment.ts";

const fresh = noProgressYet({ changes: true, tree: null });
const progress: Progress = {
  changes: true,
  tree: "t1",
  trees: ["t0", "t1"],
  begun: true,
  known: ["a", "b"],
  turns: [{ mark: "m", waits: false }],
  idle: 2,
  reading: 3,
  failures: { check: { mark: "m", count: 4 } },
};
const kept: ProgressRow = { agentId: 11, progress, moveId: 10, wakeId: 20 };
const read: Progress = { ...progress, known: [], idle: 0, reading: 0 };

const move = (fields: Partial<TransitionRow>): TransitionRow => ({
  id: 11,
  at: AT,
  machine: "agent",
  recordId: 11,
  agentId: 11,
  repositoryId: 7,
  issue: 42,
  actor: "flotilla",
  event: "HANDOFF",
  from: "ACTIVE",
  to: "ACTIVE",
  reason: null,
  evidence: null,
  delivery: null,
  ...fields,
});

const wake = (reason: WakeRow["reason"], id = 21): WakeRow => ({
  id,
  key: String(id),
  agentId: 11,
  reason,
  detail: "",
  grant: null,
  state: "delivered",
  dueAt: AT,
  createdAt: AT,
  settledAt: AT,
});

const since = (moves: readonly TransitionRow[], wakes: readonly WakeRow[]) =>
  progressSince(kept, { moves, wakes }, fresh);

describe("an agent's progress after a sleep", () => {
  it.each(["limit_reset", "retry", "restart", "time", "resumed"] as const)(
    "is all remembered over a wake for %s",
    (reason) => {
      expect(since([], [wake(reason)]).progress).toEqual(progress);
    },
  );

  it.each(["blocker", "checks", "base_moved"] as const)(
    "may read again after a wake for %s, and keeps circle and failures",
    (reason) => {
      expect(since([], [wake(reason)]).progress).toEqual(read);
    },
  );

  it.each(["answer", "approval", "message", "review"] as const)("begins again by a wake for %s", (reason) => {
    expect(since([], [wake(reason)]).progress).toBe(fresh);
  });

  it("has a word for every reason to be woken", () => {
    for (const reason of WAKE_REASONS) expect(since([], [wake(reason)]).wakeId).toBe(21);
  });

  it("begins again when a person's word is one of several", () => {
    expect(since([], [wake("restart"), wake("answer", 22), wake("blocker", 23)]).progress).toBe(fresh);
  });
});

describe("an agent's progress after its moves", () => {
  it.each([
    [
      "begins again in a conversation that shall go another way",
      move({ reason: `${NO_PROGRESS}view` }),
      fresh,
    ],
    ["begins again after a person let it continue", move({ event: "RESUME", from: "ESCALATED" }), fresh],
    [
      "keeps its circle in the next conversation of one too long",
      move({ reason: "its context is full" }),
      read,
    ],
    ["keeps its circle in the next conversation of one lost", move({ reason: null }), read],
    ["is all remembered when a hold is lifted", move({ event: "RESUME", from: "SLEEPING" }), progress],
    ["is all remembered over a sleep", move({ event: "WAKE", from: "SLEEPING" }), progress],
    [
      "is all remembered over moves of its run",
      move({ machine: "run", event: "RESUME", from: "ESCALATED" }),
      progress,
    ],
  ])("%s", (_, row, expected) => {
    expect(since([row], []).progress).toEqual(expected);
  });
});

it("takes each move and each wake into account once", () => {
  const known = [move({ id: 10, reason: `${NO_PROGRESS}view` })];
  expect(progressSince(kept, { moves: known, wakes: [wake("answer", 20)] }, fresh)).toEqual(kept);
  const next = since([move({ id: 14, event: "WAKE" })], [wake("restart", 25), wake("restart", 24)]);
  expect(next).toEqual({ ...kept, moveId: 14, wakeId: 25 });
});

it("goes by the role as it is now", () => {
  const reader = noProgressYet({ changes: false, tree: null });
  expect(progressSince(kept, { moves: [], wakes: [] }, reader).progress).toEqual({
    ...progress,
    changes: false,
  });
});
