import { describe, expect, it } from "vitest";
import { SESSION_STATES, type SessionState } from "../../../src/domain/agents/session.ts";
import {
  guardAgentOperation,
  guardMode,
  guardOperation,
  type Operation,
} from "../../../src/domain/commands/operations.ts";
import { anAgent } from "../../factories/records.ts";

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

const asked = (agent: Parameters<typeof anAgent>[0], session: SessionState | null, operation: Operation) =>
  guardAgentOperation(anAgent(agent), session, operation);

describe("an agent", () => {
  it.each(OPERATIONS)("takes %s by the stored state of its conversation", (operation) => {
    for (const state of SESSION_STATES)
      expect(asked({ state: "ACTIVE" }, state, operation)?.code ?? null).toBe(
        // A live agent begins again what has stopped or failed.
        state === "stopped" || state === "failed" ? EXPECTED[operation].idle : EXPECTED[operation][state],
      );
  });

  it.each([null, "stopped", "failed"] as const)(
    "that lives and whose conversation (%s) is still to begin keeps a message, and can be killed",
    (session) => {
      const agent = { state: session === null ? "CREATED" : "SLEEPING" } as const;
      const state = session ?? "CREATED";
      expect(asked(agent, session, "send")).toBeNull();
      expect(asked(agent, session, "kill")).toBeNull();
      expect(asked(agent, session, "interrupt")).toMatchObject({ code: "invalid_state", state });
      expect(asked(agent, session, "revive")).toMatchObject({ code: "invalid_state", state });
      expect(asked({ ...agent, mode: "one_shot" }, session, "send")).toMatchObject({
        code: "capability_mismatch",
      });
    },
  );

  it("that has ended while its conversation is being stopped can be killed once more", () => {
    expect(asked({ state: "CANCELLED" }, "stopping", "kill")).toBeNull();
    for (const operation of ["send", "interrupt"] as const)
      expect(asked({ state: "CANCELLED" }, "stopping", operation)).toMatchObject({
        code: "dead_agent",
        state: "stopping",
      });
  });

  it.each(["stopped", "failed", null] as const)("that has ended, its conversation %s, is dead", (session) => {
    const state = session ?? "CANCELLED";
    for (const operation of ["send", "interrupt", "kill"] as const)
      expect(asked({ state: "CANCELLED" }, session, operation)).toMatchObject({ code: "dead_agent", state });
    expect(asked({ state: "CANCELLED" }, session, "revive")).toBeNull();
  });

  it.each([
    ["CREATED", null, "invalid_state"],
    ["ACTIVE", "running", "invalid_state"],
    ["SLEEPING", "idle", "invalid_state"],
    ["ESCALATED", "idle", null],
    ["COMPLETED", "stopped", "invalid_state"],
    ["FAILED", "failed", null],
    ["CANCELLED", "stopped", null],
    ["CANCELLED", "stopping", null],
  ] as const)("in %s, its conversation %s, is revived or not (%s)", (state, session, code) => {
    expect(asked({ state }, session, "revive")?.code ?? null).toBe(code);
  });
});
