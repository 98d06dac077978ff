import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { lifecycleDiagrams, withDiagrams } from "../../src/commands/lifecycle-diagrams.ts";
import { agentMachine } from "../../src/core/machines/agent.ts";
import { goalMachine } from "../../src/core/machines/goal.ts";
import { reviewLeaseMachine } from "../../src/core/machines/review-lease.ts";
import { runMachine } from "../../src/core/machines/run.ts";
import { sessionMachine } from "../../src/core/machines/session.ts";
import { sprintMachine } from "../../src/core/machines/sprint.ts";
import { taskMachine } from "../../src/core/machines/task.ts";

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

test("what stands around the marks is kept, and what stood between them is renewed", () => {
  const [begin, ...rest] = lifecycleDiagrams().split("\n");
  const end = rest.at(-1);
  expect(withDiagrams(`Before\n${begin}\nold\n${end}\nAfter\n`)).toBe(
    `Before\n${lifecycleDiagrams()}\nAfter\n`,
  );
});

test.each([["no marks"], ["begin"], ["end"], ["twice"]])("a text with %s is refused", (what) => {
  const [begin, ...rest] = lifecycleDiagrams().split("\n");
  const end = rest.at(-1);
  const text = {
    "no marks": "x",
    begin: `${begin}\n`,
    end: `${end}\n`,
    twice: `${begin}\n${end}\n${begin}\n${end}\n`,
  }[what];
  expect(() => withDiagrams(text ?? "")).toThrow("once each, in this order");
});
