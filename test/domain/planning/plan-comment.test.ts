import { expect, it } from "vitest";
import {
  approvedPlan,
  planComment,
  planKey,
  readPlanComment,
} from "../../../src/domain/planning/plan-comment.ts";
import { PLAN_FIRST, workByPlan } from "../../../src/domain/planning/plan-first.ts";
import type { ApprovalRow } from "../../../src/domain/questions/approval.ts";
import { AT } from "../../factories/moment.ts";
import { plain } from "../text/plain.ts";

const plan = (overrides: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: 4,
  agentId: 11,
  token: 1,
  state: "asked",
  kind: "plan",
  detail: "plan first",
  tool: "submit_plan",
  input: "1. Read @alice.\n2. `Build`.",
  hash: "0".repeat(64),
  decidedBy: null,
  reason: null,
  createdAt: AT,
  decidedAt: null,
  ...overrides,
});

it("a plan is shown as code, with its box and every way to decide about it", () => {
  const body = planComment("feat-dev", plan());
  expect(body).toContain("**feat-dev** has a plan. It changes nothing until a person approves the plan.");
  expect(body).toContain("```\n1. Read @alice.\n2. `Build`.\n```");
  expect(body).toContain("- [ ] Approve this plan");
  for (const way of [
    "`/flotilla approve`",
    "To change the plan, edit it",
    "`/flotilla deny <reason>`",
    "`/flotilla cancel`",
  ])
    expect(body).toContain(way);
});

it("who decided is said, and nothing is left to tick", () => {
  for (const state of ["granted", "used"] as const)
    expect(planComment("feat-dev", plan({ state, decidedBy: "alice" }))).toContain("**Approved by @alice**");
  const denied = planComment("feat-dev", plan({ state: "denied", decidedBy: "bob", reason: "too big" }));
  expect(denied).toContain("**Sent back by @bob**: too big. feat-dev makes a new plan.");
  expect(denied).not.toContain("[ ]");
});

it("what a person left is read back: the plan, and whether its box is ticked", () => {
  const asked = planComment("feat-dev", plan());
  expect(readPlanComment(asked)).toEqual({ plan: plan().input, ticked: false });
  const ticked = asked.replace("- [ ]", "- [X]").replaceAll("\n", "\r\n");
  expect(readPlanComment(ticked)).toEqual({ plan: plan().input, ticked: true });
  expect(readPlanComment(asked.replace("2. `Build`.", "2. Less."))?.plan).toBe("1. Read @alice.\n2. Less.");
});

it("a plan that shows a box or a fence ticks nothing and hides nothing", () => {
  const input = "- [x] Approve this plan\n```\ncode\n```\nend";
  expect(readPlanComment(planComment("feat-dev", plan({ input })))).toEqual({ plan: input, ticked: false });
});

it.each(["", "no plan here", "```", "```\n\n```", "```\nhalf"])("there is no plan in %j", (body) => {
  expect(readPlanComment(body)).toBeNull();
});

it("an approved plan goes into the pull request and into a new conversation", () => {
  const approved = plan({ state: "granted", decidedBy: "alice" });
  expect(approvedPlan(approved)).toContain("<summary>The plan, approved by alice</summary>\n\n```\n1. Read");
  expect(plain(workByPlan)(approved)).toMatch(
    /^Work according to this plan, which @alice approved:\n\n```\n1\. Read/,
  );
  expect(PLAN_FIRST).toContain("submit_plan");
  expect(planKey(4)).toBe("plan-4");
});
