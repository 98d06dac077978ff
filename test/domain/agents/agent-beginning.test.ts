import { describe, expect, it } from "vitest";
import { agentMachine } from "../../../src/domain/agents/agent.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { moment } from "../../../src/domain/messages/format.ts";
import { AT, HOUR, MINUTE } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { asked, told, took } from "../machines/agent-take.ts";

describe("a new agent", () => {
  it("has what it was born with, and tries to start at once with what is known", () => {
    const entry = { assignedTo: "bob" };
    const move = took(undefined, agentEvent("CREATE", { entry }));
    expect(move.snapshot).toMatchObject({
      state: "CREATED",
      name: "feat-dev-issue-42",
      role: "feat-dev",
      issue: 42,
      attempt: 1,
      coder: true,
      branch: "flotilla/feat-dev/issue-42",
      createdAt: AT,
      reason: null,
    });
    expect(asked(move)).toEqual(["status_comment"]);
    expect(move.emits).toEqual([
      { machine: "agent", event: { type: "START", at: AT, actor: "flotilla", ...entry } },
    ]);
  });

  it("that tries again knows why the attempt before it ended", () => {
    const previous = anAgent({ state: "FAILED", reason: "It broke." });
    const move = took(undefined, agentEvent("REVIVE", { previous }));
    expect(move.snapshot).toMatchObject({ state: "CREATED", reason: "It broke.", createdAt: AT });
    expect(asked(move)).toEqual(["status_comment"]);
    expect(told(move)).toEqual(["agent START"]);
  });

  it("that reopens finished work knows why", () => {
    const move = took(undefined, agentEvent("REOPEN", { why: "changes requested" }));
    expect(move.snapshot).toMatchObject({ state: "CREATED", reason: "changes requested", createdAt: AT });
    expect(asked(move)).toEqual(["status_comment"]);
    expect(told(move)).toEqual(["agent START"]);
  });
});

describe("a start", () => {
  const start = agentEvent("START", { around: surroundings({ task: "UNCLAIMED", run: "idle" }) });

  it("opens a period under a new fencing token and a conversation of its own", () => {
    const move = took(anAgent({ state: "CREATED", token: 0 }), start);
    expect(move.snapshot).toMatchObject({
      state: "ACTIVE",
      activeSince: AT,
      lastActivityAt: AT,
      sessionId: start.sessionId,
      sessionCount: 1,
      leaseUntil: AT + HOUR,
      token: 1,
    });
    expect(asked(move)).toEqual(["open_session", "status_comment"]);
  });

  it("claims the task of a coder, and nothing for another role", () => {
    const coder = took(anAgent({ id: 11, state: "CREATED" }), start);
    expect(told(coder)).toEqual(["task CLAIM", "run START", "session START"]);
    expect(coder.emits[0]).toMatchObject({
      event: { agentId: 11, line: 11, worktree: "feat-dev-issue-42", leaseUntil: AT + 30 * MINUTE },
    });
    expect(told(took(anAgent({ state: "CREATED", coder: false }), start))).toEqual([
      "run START",
      "session START",
    ]);
  });

  it("is of the coder that it reopens, not of the one that it revives", () => {
    const previous = anAgent({ id: 8, state: "FAILED", line: 3 });
    expect(took(undefined, agentEvent("REOPEN", { previous })).snapshot.line).toBe(3);
    expect(
      took(undefined, agentEvent("REOPEN", { previous: { ...previous, line: null } })).snapshot.line,
    ).toBe(8);
    expect(took(undefined, agentEvent("REVIVE", { previous })).snapshot.line).toBeNull();
  });
});

describe("a second attempt that is due later", () => {
  const due = anAgent({ state: "CREATED", dueAt: AT + MINUTE });
  const free = surroundings({ task: "UNCLAIMED", run: "idle" });
  const start = (at: number, actor: string) =>
    step(agentMachine, due, agentEvent("START", { at, actor, around: free }));

  it("is not started by the host before that, and keeps the wish", () => {
    expect(start(AT, "flotilla")).toMatchObject({
      ok: false,
      rule: "second_attempt",
      reason: `the attempt before it failed; it starts automatically, not before ${moment(AT + MINUTE)}`,
      keeps: true,
    });
    expect(start(AT + MINUTE, "flotilla").ok).toBe(true);
  });

  it("is started at once by a person's word", () => {
    expect(start(AT, "alice").ok).toBe(true);
  });
});
