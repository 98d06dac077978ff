import { expect, test } from "vitest";
import { agentOfMark, agentOfMcpMark, mcpMark } from "../../../src/domain/breakers/process-mark.ts";

test.each([
  ["a session of an agent", "s-1@/data/sessions/12", 12],
  ["an agent's commands", "commands-7@/data/sessions/7", 7],
  ["the evaluator of an agent", "s-1-evaluation@/data/evaluations/3", 3],
  ["another data directory", "s-1@/other/sessions/12", null],
  ["a directory below the session's", "s-1@/data/sessions/12/home", null],
  ["no number", "s-1@/data/sessions/0x1", null],
  ["no directory", "s-1", null],
])("finds the agent of %s", (_, mark, agent) => {
  expect(agentOfMark(mark, "/data")).toBe(agent);
});

test("finds the agent of an MCP server's mark, whatever the server's name", () => {
  expect(agentOfMcpMark(mcpMark(5, "7-desk-1-1-abc"))).toBe(5);
  expect(agentOfMcpMark("mcp-desk-7-1-1-abc")).toBeNull();
  expect(agentOfMcpMark("s-mcp-5-@/data/sessions/1")).toBeNull();
});
