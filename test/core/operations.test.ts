import { describe, expect, it } from "vitest";
import { SESSION_STATES, type SessionState } from "../../src/core/machines/session.ts";
import {
  guardAgentOperation,
  guardMode,
  guardOperation,
  type Operation,
  presentedState,
} from "../../src/core/operations.ts";
import { anAgent } from "../factories/records.ts";

const subject = { agent: "feat-dev-issue-42", runtime: "copilot", mode: "continuous" } as const;

/** What the lifecycles say of each operation, state by state: null is taken. */
const EXPECTED: Readonly<Record<Operation, Readonly<Record<SessionState, string | null>>>> = {
  send: {
    unspecified: "not_interactive",
    starting: "not_interactive",
    running: null,
    idle: null,
    waiting_approval: null,
    paused: null,
    stopping: "not_interactive",
    stopped: "dead_agent",
    failed: "dead_agent",
  },
  interrupt: {
    unspecified: "not_interactive",
    starting: "not_interactive",
    running: null,
    idle: "invalid_state",
    waiting_approval: null,
    paused: null,
    stopping: "not_interactive",
    stopped: "dead_agent",
    failed: "dead_agent",
  },
  kill: {
    unspecified: "dead_agent",
    starting: null,
    running: null,
    idle: null,
    waiting_approval: null,
    paused: null,
    stopping: null,
    stopped: "dead_agent",
    failed: "dead_agent",
  },
  revive: {
    unspecified: "invalid_state",
    starting: "invalid_state",
    running: "invalid_state",
    idle: "invalid_state",
    waiting_approval: "invalid_state",
    paused: "invalid_state",
    stopping: "invalid_state",
    stopped: null,
    failed: null,
  },
};

const OPERATIONS: readonly Operation[] = ["send", "interrupt", "kill", "revive"];

describe.each(OPERATIONS)("%s", (operation) => {
  it.each(SESSION_STATES)("on a session that is %s", (state) => {
    const code = EXPECTED[operation][state];
    expect(guardOperation(state, operation, subject)).toEqual(
      code === null ? null : { code, agent: subject.agent, state, operation },
    );
  });
});

it("refuses a follow-up to a one_shot session whatever its state, and nothing else", () => {
  const once = { ...subject, mode: "one_shot" } as const;
  for (const state of SESSION_STATES)
    expect(guardOperation(state, "send", once)).toMatchObject({
      code: "capability_mismatch",
      runtime: "copilot",
      requested: expect.stringContaining("one_shot"),
      hint: expect.stringContaining("/flotilla start"),
    });
  expect(guardOperation("running", "interrupt", once)).toBeNull();
  expect(guardOperation("running", "kill", once)).toBeNull();
  expect(guardOperation("failed", "revive", once)).toBeNull();
});

it("refuses a mode that the runtime does not offer", () => {
  const runtime = { name: "batch", modes: ["one_shot"] } as const;
  expect(guardMode(runtime, "one_shot")).toBeNull();
  expect(guardMode(runtime, "continuous")).toEqual({
    code: "capability_mismatch",
    runtime: "batch",
    requested: "a continuous session",
    hint: expect.stringContaining("one_shot"),
  });
});

describe("an agent as those who operate it see it", () => {
  it.each([
    [{ state: "ACTIVE" }, "running", "running"],
    [{ state: "ACTIVE" }, null, "starting"],
    [{ state: "CREATED" }, null, "idle"],
    [{ state: "CREATED", heldBy: ["person"] }, null, "paused"],
    [{ state: "SLEEPING", sleepReason: "review" }, "stopped", "idle"],
    [{ state: "SLEEPING", sleepReason: "approval" }, "stopped", "waiting_approval"],
    [{ state: "SLEEPING", sleepReason: "paused" }, "stopped", "paused"],
    [{ state: "SLEEPING", sleepReason: "review", heldBy: ["commit"] }, "stopped", "paused"],
    [{ state: "ESCALATED" }, "stopped", "idle"],
    [{ state: "FAILED" }, "stopped", "failed"],
    [{ state: "COMPLETED" }, "stopped", "stopped"],
    [{ state: "CANCELLED" }, "stopped", "stopped"],
  ] as const)("%j with a session that is %s is %s", (fields, session, expected) => {
    const heldBy = "heldBy" in fields ? [...fields.heldBy] : [];
    expect(presentedState(anAgent({ ...fields, heldBy }), session)).toBe(expected);
  });

  it("takes a message asleep, and none once it has ended", () => {
    expect(guardAgentOperation(anAgent({ state: "SLEEPING" }), "stopped", "send")).toBeNull();
    expect(guardAgentOperation(anAgent({ state: "COMPLETED" }), "stopped", "send")).toMatchObject({
      code: "dead_agent",
      agent: "feat-dev-issue-42",
    });
  });

  it.each([
    ["CREATED", "invalid_state"],
    ["ACTIVE", "invalid_state"],
    ["SLEEPING", "invalid_state"],
    ["ESCALATED", null],
    ["COMPLETED", "invalid_state"],
    ["FAILED", null],
    ["CANCELLED", null],
  ] as const)("in %s is revived or not (%s)", (state, code) => {
    const fault = guardAgentOperation(anAgent({ state }), "running", "revive");
    expect(fault?.code ?? null).toBe(code);
  });
});
