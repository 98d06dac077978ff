import { expect, it } from "vitest";
import { agentStatus } from "../../../src/domain/status/agent-status.ts";
import { answeredText } from "../../../src/domain/status/waits-for.ts";
import { agentStatusFacts } from "../../factories/agent-status-facts.ts";
import { anAgent } from "../../factories/records.ts";

const row = (state: string, kind = "network") => ({ kind, state });

it.each([
  [[row("granted")], "its call is approved"],
  [[row("used")], "its call is approved"],
  [[row("denied")], "its call is refused"],
  [[row("granted", "plan")], "its plan is approved"],
  [[row("granted"), row("granted")], "its calls are approved"],
  [[row("denied"), row("denied")], "its calls are refused"],
  [[row("granted"), row("denied")], "its calls are approved in part and refused in part"],
])("says what people answered: %#", (rows, text) => {
  expect(answeredText(rows)).toBe(text);
});

it("is what an agent waits with that nothing holds, until it continues", () => {
  const agent = anAgent({ state: "SLEEPING", sleepReason: "approval" });
  const said = (approvals: readonly unknown[]) =>
    agentStatus(agent, agentStatusFacts({ approvals, answered: [row("granted")] }));
  expect(said([])).toEqual({
    now: "its call is approved, and it waits to continue",
    next: "it continues automatically",
  });
  expect(said([row("asked")]).now).toBe("waits for a person's approval");
});
