import { describe, expect, test } from "vitest";
import {
  GitError,
  GitHubError,
  isUnreadableRow,
  messageOf,
  OutsideError,
  RuntimeError,
  StaleSnapshot,
  StartupRefused,
  UNREADABLE_ROW,
} from "../../../src/domain/kernel/errors.ts";

describe("an error from outside", () => {
  test("says what follows from it; it is certain and without a time unless told", () => {
    const error = new OutsideError("gone", "it is gone", { consequence: "stop" });
    expect(error).toMatchObject({
      name: "OutsideError",
      code: "gone",
      message: "it is gone",
      consequence: "stop",
      uncertain: false,
    });
    expect([error.retryAt, error.advice]).toEqual([undefined, undefined]);
    expect("cause" in error).toBe(false);
  });

  test("keeps all that it was told", () => {
    const cause = new Error("socket hang up");
    const told = { consequence: "park", uncertain: true, retryAt: 5, advice: "Wait.", cause } as const;
    const error = new GitHubError("rate_limited", "slow down", 403, told);
    expect(error).toMatchObject({ ...told, name: "GitHubError", code: "rate_limited", status: 403 });
    expect(error).toBeInstanceOf(OutsideError);
  });

  test.each([
    [new GitError("locked", "a lock", { consequence: "retry" }), "GitError"],
    [new RuntimeError("died", "it died", { consequence: "retry" }), "RuntimeError"],
    [new StaleSnapshot("agent", 7), "StaleSnapshot"],
  ])("%s has the name of its class", (error, name) => {
    expect(error).toBeInstanceOf(OutsideError);
    expect(error.name).toBe(name);
    expect(error.consequence).toBe("retry");
  });

  test("of a stale snapshot names the record", () => {
    expect(new StaleSnapshot("agent", 7)).toMatchObject({
      code: "stale_snapshot",
      message: "agent 7 was changed meanwhile",
    });
  });
});

test("a refused start tells every fault", () => {
  const error = new StartupRefused(["Set APP_ID.", "Set WEBHOOK_SECRET."]);
  expect(error).toMatchObject({ name: "StartupRefused", faults: ["Set APP_ID.", "Set WEBHOOK_SECRET."] });
  expect(error.message).toBe("Set APP_ID.\nSet WEBHOOK_SECRET.");
});

test("whatever was thrown has a text", () => {
  expect(messageOf(new Error("it broke"))).toBe("it broke");
  expect(messageOf("it broke")).toBe("it broke");
  expect(messageOf(undefined)).toBe("undefined");
});

test("a row that cannot be read is told from all else that is thrown", () => {
  const row = new OutsideError(UNREADABLE_ROW, "wake 1 cannot be read", { consequence: "tell" });
  const thrown = [row, new StaleSnapshot("agent", 1), new Error(UNREADABLE_ROW), null];
  expect(thrown.map(isUnreadableRow)).toEqual([true, false, false, false]);
});
