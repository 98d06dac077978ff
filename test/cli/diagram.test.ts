import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { lifecycleDiagrams, withDiagrams } from "../../src/cli/commands/lifecycle-diagrams.ts";
import { agentMachine } from "../../src/domain/agents/agent.ts";
import { runMachine } from "../../src/domain/agents/run.ts";
import { sessionMachine } from "../../src/domain/agents/session.ts";
import { goalMachine } from "../../src/domain/planning/goal.ts";
import { sprintMachine } from "../../src/domain/planning/sprint.ts";
import { reviewLeaseMachine } from "../../src/domain/review/review-lease.ts";
import { taskMachine } from "../../src/domain/tasks/task.ts";

test("the diagrams in docs/lifecycles.md are what the tables say today", async () => {
  const text = await readFile("docs/lifecycles.md", "utf8");
  await expect(withDiagrams(text)).toMatchFileSnapshot("../../docs/lifecycles.md");
});

test.each([
  goalMachine,
  sprintMachine,
  taskMachine,
  reviewLeaseMachine,
  agentMachine,
  runMachine,
  sessionMachine,
])("the $name's states all stand in them", ({ states }) => {
  const text = lifecycleDiagrams();
  for (const state of states) expect(text).toMatch(new RegExp(`^  (${state} -->|.* --> ${state}:)`, "m"));
});

test("what stands around the markers is kept, and what stood between them is renewed", () => {
  const [begin, ...rest] = lifecycleDiagrams().split("\n");
  const end = rest.at(-1);
  expect(withDiagrams(`Before\n${begin}\nold\n${end}\nAfter\n`)).toBe(
    `Before\n${lifecycleDiagrams()}\nAfter\n`,
  );
});

test.each([["no markers"], ["begin"], ["end"], ["twice"]])("a text with %s is refused", (what) => {
  const [begin, ...rest] = lifecycleDiagrams().split("\n");
  const end = rest.at(-1);
  const text = {
    "no markers": "x",
    begin: `${begin}\n`,
    end: `${end}\n`,
    twice: `${begin}\n${end}\n${begin}\n${end}\n`,
  }[what];
  expect(() => withDiagrams(text ?? "")).toThrow("once each, in this order");
});
