import { expect, test } from "vitest";
import { lifecycles } from "../../src/commands/diagram.ts";
import { agentMachine } from "../../src/core/machines/agent.ts";

test("docs/lifecycles.md is what the tables say today", async () => {
  await expect(lifecycles()).toMatchFileSnapshot("../../docs/lifecycles.md");
});

test("every state of an agent stands in it", () => {
  const text = lifecycles();
  for (const state of agentMachine.states) expect(text).toContain(state);
});
