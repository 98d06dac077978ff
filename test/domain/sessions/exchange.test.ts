import { describe, expect, it } from "vitest";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import type { Consequence } from "../../../src/domain/kernel/errors.ts";
import { NO_REPLANNER } from "../../../src/domain/planning/replanning.ts";
import { afterExchange, type ExchangeFacts, wrapUpTurns } from "../../../src/domain/sessions/exchange.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";

/** An exchange that ended without a word. */
function facts(overrides: Partial<ExchangeFacts> = {}): ExchangeFacts {
  return {
    at: AT,
    agent: anAgent(),
    end: { kind: "idle", lastMessage: "" },
    intent: null,
    blocker: null,
    replanner: NO_REPLANNER,
    breaker: null,
    wrapUp: null,
    room: true,
    pending: false,
    maxRestarts: 3,
    providerAt: AT + 90_000,
    idleSince: AT - 7,
    used: "50 of 50 turns are used",
    keyVariable: "MODEL_API_KEY",
    ...overrides,
  };
}

const after = (overrides: Partial<ExchangeFacts>) => afterExchange(facts(overrides));
const died = { kind: "runtime_died", detail: "signal 9" } as const;
const failed = (consequence: Consequence) =>
  ({
    end: {
      kind: "model_error",
      reason: "unavailable",
      consequence,
      status: 400,
      retryAfterMs: undefined,
      detail: "the provider's words",
    },
  }) as const;

describe("an exchange whose agent was moved on meanwhile", () => {
  it.each(AGENT_STATES.filter((state) => state !== "ACTIVE"))("to %s decides nothing", (state) => {
    const complete = { kind: "report_complete", summary: "done" } as const;
    expect(after({ agent: anAgent({ state }), intent: complete })).toEqual({ next: "rest" });
  });
});

describe("an intent", () => {
  it("to complete is checked first", () => {
    expect(after({ intent: { kind: "report_complete", summary: "done" } })).toEqual({ next: "evaluate" });
  });

  it("to wait for a blocker carries what GitHub says of it now", () => {
    const intent = { kind: "report_blocked", blocker: 7, reason: "needs the schema" } as const;
    const blocked = { type: "BLOCKED", at: AT, actor: "agent", blocker: 7, reason: "needs the schema" };
    expect(after({ intent, blocker: { found: "open", cycle: ["#42", "#7", "#42"] } })).toEqual({
      next: "move",
      event: { ...blocked, found: "open", cycle: ["#42", "#7", "#42"] },
    });
    expect(after({ intent })).toEqual({
      next: "move",
      event: { ...blocked, found: "missing", cycle: null },
    });
  });

  it("to escalate carries the agent's words", () => {
    const asked = { reason: "It contradicts itself.", category: "decision", question: "Which?" };
    expect(after({ intent: { kind: "escalate_to_human", ...asked } })).toEqual({
      next: "move",
      event: { type: "ESCALATE", at: AT, actor: "agent", ...asked, breaker: null },
    });
  });

  it("to ask people puts it to sleep until they answer, the question on one line", () => {
    const asked = { question: "Which one?\nBlue?", options: [], recommended: null, defaultOption: null };
    const event = { type: "WAIT", reason: "question", dueAt: null, detail: "Which one? Blue?" };
    const intent = { kind: "ask_human", ...asked, deadlineMs: 1, askedOf: [] } as const;
    expect(after({ intent })).toMatchObject({ next: "move", event });
  });

  it("wins over a limit and over a death", () => {
    const intent = { kind: "report_complete", summary: "done" } as const;
    for (const breaker of ["max_turns", "max_tool_calls"] as const)
      expect(after({ intent, breaker, wrapUp: "max_tool_calls", end: died })).toEqual({ next: "evaluate" });
  });
});

describe("a limit", () => {
  it("of turns asks a person and says how much was used", () => {
    expect(after({ breaker: "max_turns", end: { kind: "aborted" } })).toEqual({
      next: "move",
      event: {
        type: "WAIT",
        at: AT,
        actor: "flotilla",
        reason: "approval",
        dueAt: null,
        crash: false,
        breaker: "max_turns",
        detail: "50 of 50 turns are used",
      },
    });
  });

  it.each(["max_tool_calls", "max_tokens", "max_cost_usd"] as const)(
    "%s gives one more exchange to wrap up, where there is room for it",
    (breaker) => {
      expect(after({ breaker })).toEqual({ next: "say", what: "wrap_up" });
      expect(after({ breaker, room: false })).toMatchObject({ event: { type: "ESCALATE", breaker } });
    },
  );

  it("leaves so many model calls to wrap up as it can afford", () => {
    expect(wrapUpTurns("max_tool_calls")).toBe(3);
    expect(wrapUpTurns("max_tokens")).toBe(1);
  });

  it("of tool calls asks a person when the wrap-up ended without a report, however it ended", () => {
    for (const breaker of ["max_tool_calls", null] as const)
      expect(after({ breaker, wrapUp: "max_tool_calls", pending: true })).toMatchObject({
        next: "move",
        event: {
          type: "ESCALATE",
          category: "limit",
          breaker: "max_tool_calls",
          reason: "the limit max_tool_calls is reached: 50 of 50 turns are used",
        },
      });
  });

  it("of active time is a failure", () => {
    expect(after({ end: { kind: "deadline" } })).toEqual({
      next: "move",
      event: {
        type: "FAIL",
        at: AT,
        actor: "flotilla",
        reason: "the limit max_active_duration is reached",
        breaker: "max_active_duration",
        code: "max_active_duration",
      },
    });
  });
});

describe("an exchange that was cut off", () => {
  it("tells the news that did it, or rests when there are none", () => {
    expect(after({ end: { kind: "aborted" }, pending: true })).toEqual({ next: "say", what: "brief" });
    expect(after({ end: { kind: "aborted" } })).toEqual({ next: "rest" });
  });

  it.each([
    [0, 5_000],
    [1, 10_000],
    [2, 20_000],
  ])("by its process's death, after %d restarts, tries again in %d ms", (restarts, delay) => {
    expect(after({ end: died, agent: anAgent({ restarts }) })).toMatchObject({
      next: "move",
      event: { type: "WAIT", reason: "retry", crash: true, dueAt: AT + delay, breaker: null },
    });
  });

  it("by one death too many is a failure that says how many there were", () => {
    expect(after({ end: died, agent: anAgent({ restarts: 3 }) })).toMatchObject({
      next: "move",
      event: { type: "FAIL", reason: expect.stringContaining("process died: signal 9"), breaker: null },
    });
  });
});

describe("a model that does not answer", () => {
  it("to anybody is waited for until it may be asked, and counts nothing", () => {
    expect(after(failed("park"))).toMatchObject({
      next: "move",
      event: {
        type: "WAIT",
        reason: "provider_limit",
        dueAt: AT + 90_000,
        idleSince: AT - 7,
        crash: false,
        breaker: null,
        detail: "the model is not available: unavailable: the provider's words",
      },
    });
  });

  it("to others is waited for before it is asked", () => {
    expect(after({ breaker: "provider_limit", end: { kind: "aborted" } })).toMatchObject({
      next: "move",
      event: { type: "WAIT", reason: "provider_limit", dueAt: AT + 90_000, crash: false },
    });
  });

  it("to this conversation alone is tried again like a crash, as often", () => {
    expect(after({ ...failed("retry"), agent: anAgent({ restarts: 1 }) })).toMatchObject({
      event: { type: "WAIT", reason: "retry", crash: true, dueAt: AT + 10_000 },
    });
    expect(after({ ...failed("retry"), agent: anAgent({ restarts: 3 }) })).toMatchObject({
      event: { type: "FAIL", reason: expect.stringContaining("no answer: the provider's words") },
    });
  });

  it("because the repository's day is spent sleeps, and is offered to continue", () => {
    expect(after({ breaker: "repository_per_day", end: { kind: "aborted" } })).toMatchObject({
      event: { type: "WAIT", reason: "retry", crash: false, breaker: null, dueAt: AT + 60_000 },
    });
  });

  it("because of our key is the operator's affair", () => {
    expect(after(failed("tell"))).toMatchObject({
      next: "move",
      event: {
        type: "ESCALATE",
        category: "provider",
        reason: "the model provider refused the key in `MODEL_API_KEY`: the provider's words",
        question: expect.stringMatching(/`MODEL_API_KEY` where Flotilla runs.*`\/flotilla resume`/),
      },
    });
  });

  it("because of the request is a failure", () => {
    expect(after(failed("stop"))).toMatchObject({
      next: "move",
      event: { type: "FAIL", reason: "the model refused the request: the provider's words" },
    });
  });
});

describe("an exchange without a report", () => {
  it("tells news first, when there are some", () => {
    expect(after({ pending: true, agent: anAgent({ nudges: 1 }) })).toEqual({ next: "say", what: "brief" });
  });

  it("gets one nudge, and after a second one asks a person", () => {
    expect(after({})).toEqual({ next: "say", what: "nudge" });
    expect(after({ agent: anAgent({ nudges: 1 }) })).toMatchObject({
      next: "move",
      event: {
        type: "ESCALATE",
        category: "ended_without_report",
        reason: expect.stringContaining("it stopped twice without saying"),
        breaker: null,
      },
    });
  });
});
