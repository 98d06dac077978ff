import { describe, expect, it } from "vitest";
import { onPlanLabeled, plansFromNow } from "../../../src/domain/planning/on-plan-label.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";

const PLANS = aRole({ tools: ["submit_plan", "report_complete"] });
const beginning = anAgent({ state: "ACTIVE", role: PLANS.name, turns: 0 });
const viewOf = (agent = beginning, role = PLANS) =>
  aView({ settings: someSettings({ roles: rolesOf(role) }), agents: [agent] });
const labeled = (label: string) => ({ ...aDomainEvent("issue_labeled"), label });
const LABEL = "Plan";

describe("the label that asks for a plan", () => {
  it.each([
    ["before its first turn has ended", viewOf(), beginning],
    ["after it", viewOf({ ...beginning, turns: 1 }), undefined],
    ["where it plans already", viewOf({ ...beginning, planFirst: true }), undefined],
    ["before it has begun", viewOf({ ...beginning, state: "CREATED" }), undefined],
    ["where its role cannot submit one", viewOf(beginning, { ...PLANS, tools: [] }), undefined],
    ["where its role is gone", aView({ agents: [{ ...beginning, role: "gone" }] }), undefined],
  ])("makes a coder plan, or not, %s", (_, view, planner) => {
    expect(plansFromNow(labeled(LABEL), view)).toEqual(planner);
  });

  it("is that label, and no other occurrence", () => {
    expect(plansFromNow(labeled("feature"), viewOf())).toBeUndefined();
    expect(plansFromNow(aDomainEvent("issue_opened"), viewOf())).toBeUndefined();
  });

  it.each([
    ["at its beginning", viewOf(), "plans first"],
    ["that plans already", viewOf({ ...beginning, turns: 3, planFirst: true }), "plans first"],
    ["that is further", viewOf({ ...beginning, turns: 3 }), "has already started without a plan"],
    ["that is still to come", aView(), "the next coder that begins on #42 plans first"],
  ])("is answered for a coder %s", (_, view, reason) => {
    expect(onPlanLabeled(view).decisions).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  });
});
