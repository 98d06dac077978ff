import { expect, test } from "vitest";
import { createExchangeProgress } from "../../../../src/adapters/runtimes/copilot/exchange-progress.ts";
import { sdkEvent } from "./sdk-event.ts";

test("an idle of an earlier exchange ends nothing, however late it comes", () => {
  const progress = createExchangeProgress();
  progress.see(sdkEvent("session.idle", {}));
  progress.accepted("m2");
  expect(progress.stage()).toBe("waiting");
  progress.see(sdkEvent("session.idle", {}));
  expect(progress.stage()).toBe("waiting");
  progress.see(sdkEvent("user.message", { messageId: "m2", content: "x" }));
  expect(progress.stage()).toBe("running");
  progress.see(sdkEvent("session.idle", {}));
  expect(progress.stage()).toBe("over");
});

test("an exchange whose events overtake the answer to send is over as soon as that answer is there", () => {
  const progress = createExchangeProgress();
  progress.see(sdkEvent("user.message", { messageId: "m1", content: "x" }));
  progress.see(sdkEvent("assistant.message", { content: "quick" }));
  progress.see(sdkEvent("session.idle", {}));
  expect(progress.stage()).toBe("waiting");
  progress.accepted("m1");
  expect(progress.stage()).toBe("over");
  expect(progress.lastMessage).toBe("quick");
});

function taken() {
  const progress = createExchangeProgress();
  progress.accepted("m1");
  progress.see(sdkEvent("user.message", { messageId: "m1", content: "x" }));
  return progress;
}

test("a model that rests is woken by its background shell", () => {
  const progress = taken();
  progress.see(sdkEvent("assistant.idle", {}));
  expect(progress.stage()).toBe("resting");
  progress.see(sdkEvent("assistant.turn_start", { turnId: "1" }));
  expect(progress.stage()).toBe("running");
});

test("a failure that a later message makes good is none", () => {
  const progress = taken();
  progress.see(sdkEvent("session.error", { errorType: "query", message: "503" }));
  expect(progress.failure?.message).toBe("503");
  progress.see(sdkEvent("assistant.message", { content: "" }));
  expect(progress.failure).toBeUndefined();
});

test("a message that is refused before it is taken up ends the exchange", () => {
  const progress = createExchangeProgress();
  progress.accepted("m1");
  progress.see(sdkEvent("session.error", { errorType: "authentication", message: "no key" }));
  expect(progress.stage()).toBe("waiting");
  progress.see(sdkEvent("session.idle", {}));
  expect(progress.stage()).toBe("over");
});

test("an abort is seen on either idle, and the idles of sub-agents are not ours", () => {
  const progress = taken();
  progress.see(sdkEvent("session.idle", { aborted: true }, "sub-agent"));
  expect(progress.stage()).toBe("running");
  progress.see(sdkEvent("assistant.idle", { aborted: true }));
  expect(progress.aborted).toBe(true);
});
