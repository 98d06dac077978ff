import { expect, it } from "vitest";
import {
  type Activity,
  newActivity,
  overdue,
  recordEvent,
  recordFileChange,
  shiftDeadlines,
  toolDeadlineMs,
} from "../../../src/domain/breakers/activity.ts";
import type { RuntimeEvent } from "../../../src/domain/ports/agent-runtime.ts";

const started: RuntimeEvent = { type: "tool_started", toolCallId: "a", toolName: "view", args: {} };
const ended: RuntimeEvent = { type: "tool_ended", toolCallId: "a", ok: true, denied: false, output: "" };
const names = (activity: Activity) => activity.inFlight.map(({ name }) => name);

const after = (...events: readonly RuntimeEvent[]): Activity =>
  events.reduce(
    (activity, event, index) => recordEvent(activity, event, (index + 1) * 1000, new Map()),
    newActivity(0),
  );

it("begins with a model call in flight", () => {
  expect(names(newActivity(0))).toEqual(["model call"]);
  expect(newActivity(5).lastSignAt).toBe(5);
});

it("takes every event for a sign of life", () => {
  const usage = {
    type: "usage",
    model: "m",
    inputTokens: 1,
    outputTokens: 1,
    cachedTokens: 0,
    answered: true,
  } as const;
  expect(after(usage)).toEqual({ ...newActivity(0), lastSignAt: 1000 });
  expect(after({ type: "context", currentTokens: 1, tokenLimit: 2 }).lastSignAt).toBe(1000);
});

it("has the tool in flight between its start and its end, and nothing after that", () => {
  expect(names(after(started))).toEqual(["view"]);
  expect(names(after(started, ended))).toEqual([]);
  expect(names(after(started, { ...started, toolCallId: "b", toolName: "grep" }, ended))).toEqual(["grep"]);
});

it("has a model call in flight from a turn's start to the answer", () => {
  const turn = { type: "turn_started", turnId: "1" } as const;
  expect(names(after(started, ended, turn))).toEqual(["model call"]);
  expect(names(after(started, ended, turn, { type: "message", text: "Hm." }))).toEqual([]);
  expect(names(after(turn, { type: "turn_ended", turnId: "1" }))).toEqual([]);
});

it("gives the model its time again with each word, a tool not", () => {
  const word = after({ type: "sign", of: "model" });
  expect(word.inFlight[0]?.deadlineAt).toBe(901_000);
  expect(after({ type: "message_delta", text: "Hm" }).inFlight[0]?.deadlineAt).toBe(901_000);
  const [tool] = after(started, { type: "sign", of: "tool" }).inFlight;
  expect(tool?.deadlineAt).toBe(301_000);
});

it("knows what is past its deadline", () => {
  expect(overdue(newActivity(0), 900_000)).toEqual([]);
  expect(overdue(newActivity(0), 900_001)).toHaveLength(1);
});

it("lets a change of files count, and starts the time again after a standstill of the host", () => {
  expect(recordFileChange(newActivity(0), 7).lastSignAt).toBe(7);
  expect(shiftDeadlines(newActivity(0), 3_600_000, 3_500_000)).toMatchObject({
    lastSignAt: 3_600_000,
    inFlight: [{ deadlineAt: 4_400_000 }],
  });
});

it.each([
  [undefined, 300],
  [{ kind: "read", capability: "read" }, 300],
  [{ kind: "read", capability: "shell", waitMs: () => 600_000 }, 900],
  [{ kind: "shell", capability: "shell" }, 1800],
  [{ kind: "shell", capability: "shell", waitMs: () => 3_600_000 }, 3900],
] as const)("gives a call of %j %i seconds", (tool, seconds) => {
  expect(toolDeadlineMs(tool, {}) / 1000).toBe(seconds);
  const [inFlight] = recordEvent(newActivity(0), started, 0, new Map(tool && [["view", tool]])).inFlight;
  expect(inFlight?.deadlineAt).toBe(seconds * 1000);
});
