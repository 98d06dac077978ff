import { describe, expect, it } from "vitest";
import { scopeHold } from "../../../src/domain/breakers/hold.ts";
import { type MergeQueueFacts, nextStep } from "../../../src/domain/merge-queue/next-step.ts";
import { approvalsOf, approversAmong, requestersOf } from "../../../src/domain/merge-queue/pull-approvals.ts";
import {
  inOrder,
  isQueued,
  joinedAt,
  type QueueEntry,
  waitsBehind,
} from "../../../src/domain/merge-queue/queue.ts";
import { person } from "../../fakes/github-world.ts";

const HEAD = "a".repeat(40);

const FACTS: MergeQueueFacts = {
  reviewCommit: HEAD,
  pull: { number: 12, state: "open", merged: false, draft: false, baseRef: "main", mergeState: "clean" },
  comparison: {
    head: HEAD,
    base: "b".repeat(40),
    approved: true,
    current: true,
    files: ["a.ts"],
    shared: [],
    conflicts: [],
  },
  base: "main",
  demands: { upToDate: false, approvals: 0, queue: false },
  approvals: 0,
  requesters: [],
  takenBack: [],
  withoutAccess: [],
  apps: [],
  required: 0,
  checks: { kind: "green" },
  failure: "",
  holds: [],
  coderAtWork: false,
  refusal: null,
  merges: true,
};

const PAUSE = scopeHold({ scope: "all", holder: "person", by: "alice", reason: "too dear" });
const behind = { ...FACTS.comparison, current: false };
const red = (...checks: string[]) => ({ kind: "own_failure" as const, checks });

describe("the next step", () => {
  it("waits where somebody whose approval counted may no longer write", () => {
    expect(nextStep({ ...FACTS, withoutAccess: ["bob"] })).toEqual({
      kind: "wait",
      why: "@bob approved #12 and no longer has the permission for that",
      change: "dismiss the approval by @bob on GitHub and approve it yourself, or merge it by hand",
    });
  });

  it("is no merge, update or wait for checks where the issue is locked, unless its hold is known", () => {
    const issue = { number: 1, state: "open", locked: true, assignees: [] } as const;
    const facts = { ...FACTS, issue };
    expect(nextStep(facts)).toMatchObject({ kind: "rejected", why: "#1 is locked" });
    expect(nextStep({ ...facts, holds: [PAUSE] })).toMatchObject({ kind: "wait" });
    expect(nextStep({ ...facts, pull: { ...FACTS.pull, draft: true } })).toMatchObject({ kind: "wait" });
    expect(nextStep({ ...facts, issue: { ...issue, locked: false } })).toEqual({ kind: "merge" });
  });

  it.each([
    ["merge", {}],
    ["update", { comparison: { ...FACTS.comparison, current: false }, required: 1 }],
  ] as const)("is not the %s that did not succeed for the same head and base", (step, given) => {
    const facts = { ...FACTS, ...given };
    const refusal = { step, why: "GitHub did not merge #12: No", change: "put it right" };
    expect(nextStep(facts)).toEqual({ kind: step });
    const { why, change } = refusal;
    expect(nextStep({ ...facts, refusal })).toEqual({ kind: "wait", why, change });
    const other = { ...refusal, step: step === "merge" ? ("update" as const) : ("merge" as const) };
    expect(nextStep({ ...facts, refusal: other })).toEqual({ kind: step });
    expect(nextStep({ ...facts, refusal, holds: [PAUSE] })).toMatchObject({
      why: "everything is paused by alice: too dear",
    });
  });

  it.each<[string, Partial<MergeQueueFacts>, string]>([
    ["of work that contains the base", {}, "merge"],
    ["of work whose files the base left alone, where nothing is demanded", { comparison: behind }, "merge"],
    ["of work whose files the base changed too", { comparison: { ...behind, shared: ["a.ts"] } }, "update"],
    ["where checks are required and the base moved", { comparison: behind, required: 1 }, "update"],
    [
      "where a ruleset demands all of the base",
      { comparison: behind, demands: { ...FACTS.demands, upToDate: true } },
      "update",
    ],
    [
      "where GitHub says that it is behind",
      { comparison: behind, pull: { ...FACTS.pull, mergeState: "behind" } },
      "update",
    ],
    [
      "where the red check may be fixed by the base",
      { comparison: behind, required: 1, checks: red("build") },
      "update",
    ],
    ["where checks run", { required: 1, checks: { kind: "pending", checks: ["build"] } }, "wait_checks"],
    [
      "where a person must run a check again",
      {
        required: 1,
        checks: { kind: "flaky", reruns: [{ check: "build", cause: "flake", byPerson: true }] },
      },
      "wait",
    ],
    [
      "where a check runs again",
      {
        required: 1,
        checks: { kind: "flaky", reruns: [{ check: "build", cause: "flake", byPerson: false }] },
      },
      "wait_checks",
    ],
    [
      "at a check that is red on the base too",
      { required: 1, checks: { kind: "base_red", checks: ["build"] } },
      "wait",
    ],
    [
      "at checks that a person must let run",
      { required: 1, checks: { kind: "awaiting_approval", checks: ["build"] } },
      "wait",
    ],
    [
      "at checks that nothing reports",
      { required: 1, checks: { kind: "no_checks", checks: ["build"] } },
      "wait",
    ],
    ["at a conflict", { comparison: { ...behind, conflicts: ["a.ts"] } }, "fail"],
    [
      "at a conflict of a draft",
      { comparison: { ...behind, conflicts: ["a.ts"] }, pull: { ...FACTS.pull, draft: true } },
      "wait",
    ],
    ["at a red check of its own", { required: 1, checks: red("build") }, "fail"],
    ["that was merged meanwhile", { pull: { ...FACTS.pull, state: "closed", merged: true } }, "merged"],
    ["of a closed pull request", { pull: { ...FACTS.pull, state: "closed" } }, "wait"],
    ["of a branch that is gone", { comparison: { ...FACTS.comparison, head: null } }, "wait"],
    ["while its coder is at work", { coderAtWork: true }, "wait"],
    ["while something holds it", { holds: [PAUSE] }, "wait"],
    ["that is held, behind its base", { holds: [PAUSE], comparison: behind, required: 1 }, "wait"],
    [
      "that is held while its checks run",
      { holds: [PAUSE], required: 1, checks: { kind: "pending", checks: ["build"] } },
      "wait",
    ],
    [
      "that is held and conflicts",
      { holds: [PAUSE], comparison: { ...behind, conflicts: ["a.ts"] } },
      "fail",
    ],
    ["that is held where people merge", { holds: [PAUSE], merges: false }, "merge"],
    ["that is held and rejected", { holds: [PAUSE], requesters: ["bob"] }, "rejected"],
    ["of a commit that nobody approved", { comparison: { ...FACTS.comparison, approved: false } }, "wait"],
    [
      "of a clean merge of the base on top of what was approved",
      { comparison: { ...FACTS.comparison, head: "c".repeat(40) } },
      "carry",
    ],
    [
      "where GitHub has enough approvals",
      { approvals: 1, demands: { ...FACTS.demands, approvals: 1 } },
      "merge",
    ],
  ])("%s", (_, some, kind) => {
    expect(nextStep({ ...FACTS, ...some }).kind).toBe(kind);
  });

  it("says of a hold what it is and what ends it", () => {
    expect(nextStep({ ...FACTS, holds: [PAUSE] })).toMatchObject({
      why: "everything is paused by alice: too dear",
      change: "`flotilla resume --all` lifts it",
    });
  });

  it("names the conflicting files, at most ten of them", () => {
    const conflicts = Array.from({ length: 12 }, (_, index) => `${index}.ts`);
    expect(nextStep({ ...FACTS, comparison: { ...behind, conflicts } })).toMatchObject({
      cause: "base_moved",
      reason:
        "#12 conflicts with `main` (bbbbbbb) in 0.ts, 1.ts, 2.ts, 3.ts, 4.ts, 5.ts, 6.ts, 7.ts, 8.ts, 9.ts and 2 more",
    });
  });

  it("leaves the branch as it is where people merge, and sees what its own checks say", () => {
    const byPeople = { ...FACTS, merges: false, required: 1, comparison: { ...behind, shared: ["a.ts"] } };
    expect(nextStep(byPeople).kind).toBe("merge");
    expect(nextStep({ ...byPeople, checks: red("build") })).toMatchObject({
      kind: "fail",
      reason: "on the head of #12 build failed",
    });
  });

  it("names the checks that are red by its own doing", () => {
    expect(nextStep({ ...FACTS, required: 2, checks: red("build") })).toMatchObject({
      cause: "checks",
      reason: "on the head of #12, which contains `main`, build failed",
    });
  });
});

const entry = (taskId: number, at: number, files: readonly string[], stopped = false): QueueEntry => ({
  taskId,
  issue: taskId,
  base: null,
  joinedAt: at,
  files,
  stopped,
});

const holds = (state: Parameters<typeof isQueued>[0]["state"], integrationFix = false) =>
  isQueued({ state, integrationFix });
const at = (...moves: readonly [number, string][]) => joinedAt(moves.map(([time, to]) => ({ at: time, to })));

describe("the queue", () => {
  it("is in the order of the first approvals, and of the tasks where those are one", () => {
    const entries = [entry(3, 10, []), entry(2, 20, []), entry(1, 10, [])];
    expect(inOrder(entries).map(({ taskId }) => taskId)).toEqual([1, 3, 2]);
  });

  it("makes one wait behind the first older one that changes a file of its own, and behind none that stands", () => {
    const entries = [entry(1, 1, ["a"]), entry(2, 2, ["b"]), entry(3, 3, ["b", "a"]), entry(4, 4, ["c"])];
    const behindOf = (index: number, all = entries) =>
      waitsBehind(all[index] ?? entry(0, 0, []), all)?.taskId;
    expect([0, 1, 2, 3].map((index) => behindOf(index))).toEqual([undefined, undefined, 1, undefined]);
    expect(behindOf(2, [entry(1, 1, ["a"], true), ...entries.slice(1)])).toBe(2);
    expect(behindOf(2, [{ ...entry(1, 1, ["a"]), base: "release-1" }, ...entries.slice(1)])).toBe(2);
  });

  it("holds what is approved, and what is fixed after it failed there", () => {
    expect([holds("APPROVED"), holds("INTEGRATION_FAILED"), holds("CLAIMED", true)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([holds("CLAIMED"), holds("READY_FOR_REVIEW"), holds("BLOCKED", true)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("keeps the place of the first approval through a fixing, and loses it when the task is free again", () => {
    expect(at([1, "UNCLAIMED"], [2, "APPROVED"], [3, "INTEGRATION_FAILED"], [4, "APPROVED"])).toBe(2);
    expect(at([2, "APPROVED"], [3, "UNCLAIMED"], [4, "CLAIMED"], [5, "APPROVED"])).toBe(5);
    expect(at([1, "UNCLAIMED"])).toBeNull();
  });
});

const said = (verdict: string, login: string) => ({ verdict, author: person(login) });

it("is not merged while people request changes of it on GitHub", () => {
  expect(nextStep({ ...FACTS, requesters: ["alice", "bob"] })).toMatchObject({
    kind: "rejected",
    why: "@alice and @bob requested changes of #12 on GitHub",
  });
});

it("waits while another App requests changes of it, and is looked at once an approval is dismissed", () => {
  expect(nextStep({ ...FACTS, apps: ["scanner[bot]"] })).toMatchObject({ kind: "wait" });
  expect(nextStep({ ...FACTS, takenBack: ["bob"] })).toMatchObject({ kind: "rejected" });
});

it("requests for changes on GitHub are people's latest verdicts on the approved commit", () => {
  const of = (login: string, verdict: string, commit = HEAD) => ({ author: person(login), verdict, commit });
  const bot = {
    ...of("scanner", "changes_requested"),
    author: { ...person("scanner"), type: "Bot" as const },
  };
  const reviews = [
    of("alice", "changes_requested"),
    of("alice", "commented"),
    of("bob", "changes_requested"),
    of("bob", "approved"),
    of("carol", "changes_requested", "b".repeat(40)),
    of("dora", "dismissed"),
    bot,
  ];
  expect(requestersOf(reviews, { reviewCommit: HEAD, carriedFrom: [] })).toEqual([person("alice")]);
  const carried = { reviewCommit: HEAD, carriedFrom: ["b".repeat(40)] };
  expect(requestersOf(reviews, carried)).toEqual([person("alice"), person("carol")]);
});

it("approvals on GitHub are people's latest verdicts, comments and our own apart", () => {
  const reviews = [
    said("approved", "alice"),
    said("commented", "alice"),
    said("approved", "bob"),
    said("changes_requested", "bob"),
    said("approved", "carol"),
  ];
  expect(approvalsOf(reviews, person("carol").id)).toBe(1);
});

const by = (login: string, id: number) => ({ author: { login, id, type: "User" as const } });

it("people whose approvals count are named by the login that they have now; roles are not among them", () => {
  const verdicts = [
    { reviewer: "reviewer", account: null },
    { reviewer: "old-name", account: 5 },
    { reviewer: "by-comment", account: 6 },
    { reviewer: "unknown", account: 0 },
  ];
  expect(approversAmong([by("old-name", 5), by("new-name", 5), by("other", 9)], verdicts)).toEqual([
    { login: "new-name", id: 5 },
    { login: "by-comment", id: 6 },
    { login: "unknown", id: null },
  ]);
});
