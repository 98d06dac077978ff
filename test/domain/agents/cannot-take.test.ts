import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";

it("a pause where only a merge is left says what holds that", () => {
  const coder = anAgent({ id: 11, state: "COMPLETED", prNumber: 50 });
  const changeOf = (state: "APPROVED" | "READY_FOR_REVIEW" | null) => {
    const task = state === null ? null : aTask({ state, assigneeId: 11 });
    return decide(aCommand("pause"), aView({ agents: [coder], task })).decisions[0]?.change;
  };
  expect(changeOf("APPROVED")).toBe("make #50 a draft: Flotilla merges no draft");
  expect(changeOf("READY_FOR_REVIEW")).toContain("review #50");
  expect(changeOf(null)).toContain("begins again");
});
