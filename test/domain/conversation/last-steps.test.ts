import { expect, it } from "vitest";
import { lastSteps, workLinks } from "../../../src/domain/conversation/last-steps.ts";
import type { ToolCallRow } from "../../../src/domain/kernel/rows.ts";
import { AT } from "../../factories/moment.ts";

const call = (turn: number, input: string): ToolCallRow => ({
  id: turn,
  agentId: 11,
  toolCallId: `c-${turn}`,
  tool: "shell",
  input,
  turn,
  status: "success",
  asked: null,
  output: null,
  startedAt: AT,
  endedAt: AT,
  durationMs: 0,
});

it("tells the last five steps, each on one line that nothing breaks out of, and cut", () => {
  const calls = [1, 2, 3, 4, 5, 6].map((turn) => call(turn, `{"command":"a\n\`b\`${turn}"}`));
  const steps = lastSteps(calls);
  expect(steps).toHaveLength(5);
  expect(steps[0]).toBe(`turn 2: \`shell\`, success: \`{"command":"a 'b'2"}\``);
  expect(lastSteps([call(1, "x".repeat(500))])[0]).toMatch(/`x{99}…`$/);
  expect(lastSteps([])).toEqual([]);
});

const repository = { owner: "acme", name: "shop" };

it("links branch, diff and pull request once there is something to see, and always tells the way to all of it", () => {
  const name = "feat-dev-issue-42";
  const transcript =
    "transcript (the operator prints it with `flotilla agents transcript acme/shop:feat-dev-issue-42`)";
  const agent = { name, branch: "flotilla/feat-dev/issue-42", headCommit: "a".repeat(40), prNumber: null };
  expect(workLinks(agent, repository, "main")).toEqual([
    "[branch](/acme/shop/tree/flotilla/feat-dev/issue-42)",
    "[diff](/acme/shop/compare/main...flotilla/feat-dev/issue-42)",
    transcript,
  ]);
  expect(workLinks({ ...agent, prNumber: 50 }, repository, "main")).toContain("#50");
  expect(workLinks({ ...agent, headCommit: null }, repository, "main")).toEqual([transcript]);
  expect(workLinks({ ...agent, branch: null }, repository, "main")).toEqual([transcript]);
});
