import { expect, it } from "vitest";
import { transcript } from "../../../src/domain/conversation/transcript.ts";
import type { RunEventRow } from "../../../src/domain/kernel/rows.ts";
import type { RunEvent } from "../../../src/domain/kernel/run-event.ts";
import { FIRST_TURN, stepped } from "../../factories/run-events.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
let id = 0;
const row = (event: RunEvent, turn: number | null = 3): RunEventRow => {
  id += 1;
  return { id, at: AT, agentId: 11, runId: 21, repositoryId: 7, issue: 42, turn, event };
};
const spoken = (text: string) => row({ type: "stream:token", data: { text } });
const words = (...rows: readonly RunEventRow[]) =>
  transcript(rows).map((line) => line.slice("2026-01-02T03:04:05.000Z  ".length));

it("tells each event on one line, with its moment and turn", () => {
  const call = { call: "c-1", tool: "bash" };
  const ended = { ...call, status: "failure", output: "1 failed\n2 passed", duration_ms: 3 } as const;
  const details = { move: "ERROR", phase: "executing" };
  const error = { code: "no_sign_of_life", status: 504, error: "it hangs", details } as const;
  const move = { machine: "agent", event: "WAIT", actor: "flotilla", from: "ACTIVE", to: "SLEEPING" };
  expect(transcript([row({ type: "agent:cleanup", data: { what: "worktree" } })])).toEqual([
    "2026-01-02T03:04:05.000Z  turn 3  given back: worktree",
  ]);
  expect(
    words(
      row({ type: "agent:starting", data: { cause: "START", reason: null, session: null } }, null),
      row(stepped(1)),
      row({ type: "tool:start", data: { ...call, input: '{"command":"npm test"}' } }),
      row({ type: "tool:running", data: call }),
      row({ type: "tool:result", data: ended }),
      row({
        type: "approval:requested",
        data: { kind: "call", subject: "curl", choices: [], ...FIRST_TURN },
      }),
      row({ type: "agent:error", data: { ...error, recoverable: true } }),
      row({ type: "agent:error", data: { ...error, code: "tool_failed", details: call, recoverable: true } }),
      row({ type: "state:update", data: { ...move, ...FIRST_TURN, session: null, reason: "retry" } }),
      row({ type: "agent:paused", data: { state: "SLEEPING", reason: "retry" } }),
      row({ type: "agent:completed", data: { result: "Built." } }),
    ),
  ).toEqual([
    "turn 0  awake: START",
    'turn 3  calls bash: {"command":"npm test"}',
    "turn 3  bash runs",
    "turn 3  bash ended, failure: 1 failed 2 passed",
    "turn 3  asks a person (call): curl",
    "turn 3  error: no_sign_of_life: it hangs",
    "turn 3  agent ACTIVE → SLEEPING (WAIT by flotilla): retry",
    "turn 3  rests: SLEEPING: retry",
    "turn 3  completed: Built.",
  ]);
});

it("puts together what was said in pieces, leaves out silence, and cuts what is long", () => {
  const between = row({ type: "agent:cleanup", data: { what: "process" } });
  expect(words(spoken("I lo"), spoken("ok.\n"), between, spoken("Then."), between, spoken(" "))).toEqual([
    "turn 3  says: I look.",
    "turn 3  given back: process",
    "turn 3  says: Then.",
    "turn 3  given back: process",
  ]);
  expect(words(spoken("x".repeat(1000)))[0]).toHaveLength("turn 3  ".length + 400);
});
