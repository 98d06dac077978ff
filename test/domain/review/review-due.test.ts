import { describe, expect, it } from "vitest";
import { startRole } from "../../../src/domain/agents/start-role.ts";
import { decide } from "../../../src/domain/decide.ts";
import { onVerdict } from "../../../src/domain/review/on-verdict.ts";
import { reviewDue, reviewerRoles } from "../../../src/domain/review/review-due.ts";
import { roleAs } from "../../../src/domain/review/reviewer.ts";
import { aRole, REVIEWER } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, anIssue } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { effectsOf, movesOf, rulesOf, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const COMMIT = "c".repeat(40);
const settings = someSettings({ roles: rolesOf(aRole(), REVIEWER, { ...REVIEWER, name: "second" }) });
const coder = anAgent({ state: "SLEEPING", prNumber: 50 });
const task = aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT });
const view = aView({ settings, agents: [coder], task });
const pull = { number: 50, draft: false };
const due = { at: AT, task, pull, asked: null };
const reviewer = (overrides: Parameters<typeof anAgent>[0] = {}) =>
  anAgent({
    id: 21,
    role: "reviewer",
    coder: false,
    branch: null,
    state: "FAILED",
    headCommit: COMMIT,
    ...overrides,
  });
const three = (role: string) => [1, 2, 3].map((id) => reviewer({ id: 20 + id, role }));
const by = (name: string) => ({ ...roleAs(name), commit: COMMIT, at: AT });

describe("a review that is due", () => {
  it("is given by the first role that has not spoken", () => {
    const first = reviewDue(due, view);
    expect(movesOf(first)).toEqual(["agent new CREATE"]);
    expect(first.moves[0]?.event).toMatchObject({
      newAgent: { role: "reviewer", branch: null, prNumber: 50, ephemeral: true, coder: false },
    });
    const next = reviewDue({ ...due, pull: null, task: { ...task, verdicts: [by("reviewer")] } }, view);
    expect(next.moves[0]?.event).toMatchObject({ newAgent: { role: "second", prNumber: null } });
  });

  it("is given by one at a time", () => {
    const agents = [coder, reviewer({ state: "ACTIVE", role: "second" })];
    expect(reviewDue(due, { ...view, agents })).toMatchObject({ moves: [], decisions: [] });
  });

  it("waits while the pull request is a draft, unless a person asks for a role", () => {
    const draft = { ...due, pull: { number: 50, draft: true } };
    expect(whyOf(reviewDue(draft, view))).toContain("#50 is a draft");
    expect(movesOf(reviewDue({ ...draft, asked: "second" }, view))).toEqual(["agent new CREATE"]);
  });

  it("is left to people after three agents of each role, and tried once more by a person's word", () => {
    const agents = [coder, ...three("reviewer"), ...three("second")];
    const changes = reviewDue(due, { ...view, agents });
    expect(rulesOf(changes)).toEqual(["review_not_given"]);
    expect(whyOf(changes)).toContain("3 agents of reviewer ended without a verdict");
    expect(movesOf(reviewDue({ ...due, asked: "second" }, { ...view, agents }))).toEqual([
      "agent new CREATE",
    ]);
    const older = agents.map((agent) => ({ ...agent, headCommit: "d".repeat(40) }));
    expect(movesOf(reviewDue(due, { ...view, agents: older }))).toEqual(["agent new CREATE"]);
  });

  it("needs people where every role has spoken", () => {
    const verdicts = [by("reviewer"), by("second")];
    expect(whyOf(reviewDue({ ...due, task: { ...task, verdicts } }, view))).toContain("2 of 1 approvals");
  });

  it("is not given by a person whose login is the name of a role", () => {
    const verdicts = [{ reviewer: "reviewer", account: 5, commit: COMMIT, at: AT }];
    const next = reviewDue({ ...due, task: { ...task, verdicts } }, view);
    expect(next.moves[0]?.event).toMatchObject({ newAgent: { role: "reviewer" } });
  });

  it("is given only by roles that give verdicts and wait for that event", () => {
    const idle = { ...REVIEWER, name: "idle", triggers: [] };
    const other = { ...REVIEWER, name: "other", evidence: "outputs" as const };
    const roles = rolesOf(aRole(), idle, other, REVIEWER);
    expect(reviewerRoles({ roles }).map(({ name }) => name)).toEqual(["reviewer"]);
  });
});

describe("what sets a review going", () => {
  const cause = { at: AT, actor: "alice", issue: anIssue(), personPull: null };

  it("is a person's word where something is up for review", () => {
    expect(startRole(REVIEWER, view, cause).effects).toEqual([{ kind: "offer_review", asked: "reviewer" }]);
    expect(rulesOf(startRole(REVIEWER, { ...view, task: null }, cause))).toEqual(["no_review"]);
  });

  it("is a pull request that is no draft any more", () => {
    const ready = aDomainEvent("pull_ready");
    expect(effectsOf(decide(ready, view))).toEqual(["offer_review"]);
    expect(rulesOf(decide(ready, { ...view, task: null }))).toEqual(["nothing_to_do"]);
    const none = someSettings({ roles: rolesOf(aRole()) });
    expect(rulesOf(decide(ready, { ...view, settings: none }))).toEqual(["nothing_to_do"]);
    expect(rulesOf(decide(ready, aView()))).toEqual(["not_ours"]);
  });
});

describe("an agent's verdict", () => {
  const given = {
    commit: COMMIT,
    verdict: "approve",
    body: "Fine.",
    comments: [],
    evidence: ["npm test"],
  } as const;
  const taken = {
    at: AT,
    given,
    reviewer: { role: "reviewer", prNumber: 50 },
    leaseToken: 3,
    source: "verdict:9",
    task,
    owner: coder,
  };

  it("approves in the name of its lease, and lets the coder sleep", () => {
    const changes = onVerdict(taken, view);
    expect(movesOf(changes)).toEqual(["task 41 APPROVE"]);
    expect(changes.moves[0]?.event).toMatchObject({ reviewer: "reviewer", leaseToken: 3, reviewers: 1 });
    expect(wakesOf(changes)).toEqual([]);
  });

  it("rejects in the name of its lease, and wakes the coder once with its words", () => {
    const changes = onVerdict({ ...taken, given: { ...given, verdict: "reject", body: "It breaks." } }, view);
    expect(movesOf(changes)).toEqual(["task 41 REJECT"]);
    expect(changes.moves[0]?.event).toMatchObject({ leaseToken: 3 });
    expect(changes.wakes[0]).toMatchObject({
      key: "verdict:9:11",
      detail: expect.stringContaining("It breaks."),
    });
  });

  it("is told as one of the work where there is no pull request, in the last round too", () => {
    const last = { ...view, task: { ...task, reviewCyclesCurrent: 4 } };
    const without = { ...taken, reviewer: { role: "reviewer", prNumber: null } };
    const changes = onVerdict({ ...without, given: { ...given, verdict: "reject" } }, last);
    expect(whyOf(changes)).toContain("the work was rejected 5 times in a row");
  });
});
