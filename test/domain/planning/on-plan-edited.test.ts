import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { withMarker } from "../../../src/domain/messages/marker.ts";
import { planComment, planKey } from "../../../src/domain/planning/plan-comment.ts";
import type { ApprovalRow } from "../../../src/domain/questions/approval.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, aPerson } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { movesOf, rulesOf, saidBy, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const row: ApprovalRow = {
  id: 4,
  agentId: 11,
  token: 1,
  state: "asked",
  kind: "plan",
  detail: "plan first",
  tool: "submit_plan",
  input: "Read, then build.",
  hash: "ab".repeat(32),
  decidedBy: null,
  reason: null,
  createdAt: AT,
  decidedAt: null,
};
const sleeper = anAgent({ id: 11, state: "SLEEPING", sleepReason: "approval" });
const view = aView({ agents: [sleeper], asked: [row] });
const edited = (change: (body: string) => string, more: object = {}) =>
  aDomainEvent("comment_edited", {
    body: withMarker(change(planComment("feat-dev", row)), { key: planKey(4), mac: "0fa4e" }),
    ...more,
  });
const commanded = (verb: "approve" | "deny", rest = "") =>
  aDomainEvent("commented", { body: `/flotilla ${verb} ${rest}`, command: { verb, rest } });

it("an approved plan wakes its agent, and the comment says by whom", () => {
  for (const event of [commanded("approve"), edited((body) => body.replace("[ ]", "[x]"))]) {
    const changes = decide(event, view);
    expect(wakesOf(changes)).toEqual(["11 approval"]);
    expect(changes.wakes[0]).toMatchObject({
      key: "d-1:11:4",
      detail: "@alice approves your plan. Work by it now.",
    });
    expect(changes.approvals).toEqual([{ id: 4, state: "granted", by: "alice", reason: null }]);
    expect(saidBy(changes)).toContain("**Approved by @alice**: feat-dev works according to this plan.");
    expect(movesOf(changes)).toEqual([]);
  }
});

it("a plan that a person edited is approved as they wrote it", () => {
  const changes = decide(
    edited((body) => body.replace("build", "test")),
    view,
  );
  expect(changes.approvals).toEqual([
    { id: 4, state: "granted", by: "alice", reason: null, plan: { agentId: 11, text: "Read, then test." } },
  ]);
  expect(changes.wakes[0]?.detail).toContain("not by yours:\n\nRead, then test.");
  expect(saidBy(changes)).toContain("Read, then test.");
});

it("a plan that is sent back is planned again, told why", () => {
  const changes = decide(commanded("deny", "too big"), view);
  expect(changes.approvals).toEqual([{ id: 4, state: "denied", by: "alice", reason: "too big" }]);
  expect(changes.wakes[0]?.detail).toContain("@alice sends your plan back. Why: too big.");
  expect(saidBy(changes)).toContain("**Sent back by @alice**: too big");
});

it.each([
  [
    "not_permitted",
    edited((body) => body.replace("[ ]", "[x]"), { actor: aPerson("eve"), permitted: false }),
  ],
  ["plan_unreadable", edited(() => "gone")],
  ["no_box_ticked", edited((body) => `${body}\nHm.`)],
] as const)("an edit that decides nothing (%s) is put right", (rule, event) => {
  const changes = decide(event, view);
  expect(rulesOf(changes)).toEqual([rule]);
  expect(wakesOf(changes)).toEqual([]);
  expect(changes.approvals).toEqual([]);
  expect(saidBy(changes)).toContain("- [ ] Approve this plan");
});

it("an edit of any other comment is none of a plan", () => {
  const call = { ...row, kind: "network" as const };
  expect(
    rulesOf(
      decide(
        edited((body) => body),
        aView({ asked: [call] }),
      ),
    ),
  ).toEqual(["no_question"]);
});

it("a plan whose agent is gone from the issue wakes nobody", () => {
  const changes = decide(commanded("approve"), aView({ asked: [row] }));
  expect(wakesOf(changes)).toEqual([]);
  expect(saidBy(changes)).toContain("The agent works according to this plan");
});

it.each([
  [
    "nobody has begun",
    anAgent({ state: "CREATED" }),
    "the next coder that begins on #42 plans first / nothing",
  ],
  [
    "one works without",
    anAgent({ state: "ACTIVE", turns: 1 }),
    "has already started without a plan, and continues / say `/flotilla cancel`",
  ],
  ["one is beginning", anAgent({ state: "ACTIVE", turns: 0 }), "plans first / nothing"],
  ["one plans already", anAgent({ state: "SLEEPING", turns: 1, planFirst: true }), "plans first / nothing"],
])("the label plan where %s is only noted, with what it means", (_, agent, why) => {
  const changes = decide(aDomainEvent("issue_labeled", { label: "Plan" }), aView({ agents: [agent] }));
  expect(rulesOf(changes)).toEqual(["plan_label"]);
  expect(whyOf(changes)).toContain(why);
});
