import { expect, test } from "vitest";
import { toRuntimeEvent } from "../../../../src/adapters/runtimes/copilot/runtime-events.ts";
import { sdkEvent } from "./sdk-event.ts";

test("turns keep their id", () => {
  expect(toRuntimeEvent(sdkEvent("assistant.turn_start", { turnId: "3" }))).toEqual({
    type: "turn_started",
    turnId: "3",
  });
  expect(toRuntimeEvent(sdkEvent("assistant.turn_end", { turnId: "3" }))).toEqual({
    type: "turn_ended",
    turnId: "3",
  });
});

test("a message that only calls tools says nothing", () => {
  expect(toRuntimeEvent(sdkEvent("assistant.message", { content: "Hello" }))).toEqual({
    type: "message",
    text: "Hello",
  });
  expect(toRuntimeEvent(sdkEvent("assistant.message", { content: "" }))).toBeUndefined();
});

test("a message is told piece by piece too", () => {
  expect(
    toRuntimeEvent(sdkEvent("assistant.message_delta", { deltaContent: "Hel", messageId: "m" })),
  ).toEqual({
    type: "message_delta",
    text: "Hel",
  });
  const empty = sdkEvent("assistant.message_delta", { deltaContent: "", messageId: "m" });
  expect(toRuntimeEvent(empty)).toBeUndefined();
});

test("a tool without arguments has empty ones", () => {
  expect(toRuntimeEvent(sdkEvent("tool.execution_start", { toolCallId: "c", toolName: "view" }))).toEqual({
    type: "tool_started",
    toolCallId: "c",
    toolName: "view",
    args: {},
  });
});

test.each([
  [
    { success: true, result: { content: "out" } },
    { ok: true, denied: false, output: "out" },
  ],
  [
    { success: false, error: { message: "no", code: "failure" } },
    { ok: false, denied: false, output: "no" },
  ],
  [
    { success: false, error: { message: "no", code: "denied" } },
    { ok: false, denied: true, output: "no" },
  ],
  [
    { success: false, error: { message: "no", code: "rejected" } },
    { ok: false, denied: true, output: "no" },
  ],
  [{ success: true }, { ok: true, denied: false, output: "" }],
])("the end of a tool %j becomes %j", (data, expected) => {
  expect(toRuntimeEvent(sdkEvent("tool.execution_complete", { toolCallId: "c", ...data }))).toEqual({
    type: "tool_ended",
    toolCallId: "c",
    ...expected,
  });
});

test("usage counts the model's calls and those of compactions", () => {
  const tokens = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 };
  const expected = {
    type: "usage",
    model: "m",
    inputTokens: 10,
    outputTokens: 2,
    cachedTokens: 4,
    answered: true,
  };
  expect(toRuntimeEvent(sdkEvent("assistant.usage", { model: "m", ...tokens }))).toEqual(expected);
  expect(
    toRuntimeEvent(
      sdkEvent("session.compaction_complete", {
        success: true,
        compactionTokensUsed: { model: "m", ...tokens },
      }),
    ),
  ).toEqual(expected);
  expect(toRuntimeEvent(sdkEvent("session.compaction_complete", { success: false }))).toBeUndefined();
});

test("the fill of the context is passed on, and what means nothing to us is not", () => {
  expect(toRuntimeEvent(sdkEvent("session.usage_info", { currentTokens: 5, tokenLimit: 9 }))).toEqual({
    type: "context",
    currentTokens: 5,
    tokenLimit: 9,
  });
  expect(toRuntimeEvent(sdkEvent("session.idle", {}))).toBeUndefined();
});

test("what only shows that it is at work is a sign of life of the model or of a tool", () => {
  expect(toRuntimeEvent(sdkEvent("session.compaction_start", {}))).toEqual({ type: "sign", of: "model" });
  expect(
    toRuntimeEvent(sdkEvent("tool.execution_progress", { toolCallId: "1", progressMessage: "50 %" })),
  ).toEqual({ type: "sign", of: "tool" });
});
