import type { AgentEvent, Elsewhere, Replanner } from "../agents/agent-event.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import type { ErrorCode } from "../kernel/error-code.ts";
import { oneLine } from "../messages/format.ts";
import { needsReplanning } from "../planning/replanning.ts";
import type { ExchangeEnd } from "../ports/agent-runtime.ts";
import { agentCategory } from "../tasks/escalation.ts";
import { retryOrFail } from "../tasks/retry-or-fail.ts";
import type { Intent } from "./intent.ts";

/** A breaker that ended an exchange from inside. */
export type InnerBreaker =
  | "max_tool_calls"
  | "max_turns"
  | "max_tokens"
  | "max_cost_usd"
  | "repository_per_day"
  /** The model provider is unavailable for now. */
  | "provider_limit";

/**
 * Returns the number of model calls that the agent has to finish after this limit; a single one where the limit is one
 * of cost or tokens.
 */
export function wrapUpTurns(limit: InnerBreaker): number {
  return limit === "max_tool_calls" ? 3 : 1;
}

/** `lifeless` = the host ended a process that showed no sign of life. */
export type ObservedEnd = ExchangeEnd | { readonly kind: "lifeless"; readonly detail: string };

export interface ExchangeFacts {
  readonly at: number;
  readonly agent: AgentRecord;
  readonly end: ObservedEnd;
  /** The intent recorded in this exchange, or left from one that was cut off. */
  readonly intent: Intent | null;
  /** For a block: the blocker as GitHub shows it now, and the cycle that it would close. */
  readonly blocker: {
    readonly found: "open" | "closed" | "missing" | "part";
    readonly cycle: readonly string[] | null;
    readonly elsewhere?: Elsewhere;
  } | null;
  /** Who can replan the task, where the agent asks for that. */
  readonly replanner: Replanner;
  readonly breaker: InnerBreaker | null;
  /** The limit after which this exchange was the last one; null for any other exchange. */
  readonly wrapUp: InnerBreaker | null;
  /** After a limit, one more model call would not spend too much. */
  readonly room: boolean;
  /** A wake arrived during the exchange and is not delivered yet. */
  readonly pending: boolean;
  readonly maxRestarts: number;
  /** When the agent may call the model provider again, where that is parked. */
  readonly providerAt: number;
  /** When the last failed model call began; `at` where there was none. */
  readonly idleSince: number;
  /** How much of the limit was used, in words, for the comment. */
  readonly used: string;
  /** Name of the variable that holds the key of the model provider. */
  readonly keyVariable: string;
}

/** What comes after an exchange. */
export type AfterExchange =
  | { readonly next: "move"; readonly event: AgentEvent }
  /** The claim is checked against evidence, or the verdict against the work under review now. */
  | { readonly next: "evaluate" }
  | { readonly next: "say"; readonly what: "brief" | "nudge" | "wrap_up" }
  /** Another event has moved the agent; nothing to decide here. */
  | { readonly next: "rest" };

/** Milliseconds between two checks whether the repository's day has room again; a WAKE is refused until it has. */
const DAY_BUDGET_PAUSE_MS = 60_000;

/**
 * Decides what follows an exchange. An intent comes before everything else; then the breakers; then how the exchange
 * ended. Pure.
 */
export function afterExchange(facts: ExchangeFacts): AfterExchange {
  const { agent, at } = facts;
  if (agent.state !== "ACTIVE") return { next: "rest" };
  if (facts.intent !== null) return applyIntent(facts, facts.intent);
  const base = { at, actor: "flotilla" };
  if (facts.breaker === "max_turns")
    return {
      next: "move",
      event: {
        ...base,
        type: "WAIT",
        reason: "approval",
        dueAt: null,
        crash: false,
        breaker: "max_turns",
        detail: facts.used,
      },
    };
  if (facts.breaker === "repository_per_day")
    return {
      next: "move",
      event: {
        ...base,
        type: "WAIT",
        reason: "retry",
        dueAt: at + DAY_BUDGET_PAUSE_MS,
        crash: false,
        breaker: null,
        detail: "a budget of the repository or its installation is spent",
        code: "day_budget_spent",
      },
    };
  if (facts.breaker === "provider_limit") return waitsForProvider(facts, "it answers nobody for now");
  const limit = facts.wrapUp ?? facts.breaker;
  if (limit === null) return afterEnd(facts);
  if (facts.wrapUp === null && facts.room) return { next: "say", what: "wrap_up" };
  return {
    next: "move",
    event: {
      ...base,
      type: "ESCALATE",
      reason: `the limit ${limit} is reached: ${facts.used}`,
      category: "limit",
      question: null,
      breaker: limit,
    },
  };
}

function applyIntent(facts: ExchangeFacts, intent: Intent): AfterExchange {
  const base = { at: facts.at, actor: "agent" };
  switch (intent.kind) {
    case "report_blocked":
      if ("cause" in intent) return { next: "move", event: needsReplanning(facts, intent.reason) };
      return {
        next: "move",
        event: {
          ...base,
          type: "BLOCKED",
          blocker: intent.blocker,
          ...(facts.blocker?.elsewhere === undefined ? {} : { elsewhere: facts.blocker.elsewhere }),
          found: facts.blocker?.found ?? "missing",
          cycle: facts.blocker?.cycle ?? null,
          reason: intent.reason,
        },
      };
    case "escalate_to_human":
      return {
        next: "move",
        event: {
          ...base,
          type: "ESCALATE",
          reason: intent.reason,
          category: agentCategory(intent.category),
          question: intent.question,
          breaker: null,
        },
      };
    case "ask_human":
      return {
        next: "move",
        event: {
          ...base,
          type: "WAIT",
          reason: "question",
          dueAt: null,
          crash: false,
          breaker: null,
          detail: oneLine(intent.question),
        },
      };
    default:
      return { next: "evaluate" };
  }
}

/** Waits for the provider; nothing is counted against the issue. */
function waitsForProvider({ at, providerAt, idleSince }: ExchangeFacts, why: string): AfterExchange {
  return {
    next: "move",
    event: {
      at,
      actor: "flotilla",
      type: "WAIT",
      reason: "provider_limit",
      dueAt: providerAt,
      idleSince,
      crash: false,
      breaker: null,
      detail: `the model is not available: ${why}`,
      code: "model_unavailable",
    },
  };
}

function afterEnd(facts: ExchangeFacts): AfterExchange {
  const { end, agent, at, pending } = facts;
  const base = { at, actor: "flotilla" };
  const fail = (code: ErrorCode, reason: string, breaker: string | null = null): AfterExchange => ({
    next: "move",
    event: { ...base, type: "FAIL", reason, breaker, code },
  });
  const again = (code: ErrorCode, what: string, detail: string): AfterExchange => ({
    next: "move",
    event: retryOrFail(facts, { code, what, detail }),
  });
  switch (end.kind) {
    case "aborted":
      return pending ? { next: "say", what: "brief" } : { next: "rest" };
    case "deadline":
      return fail("max_active_duration", "the limit max_active_duration is reached", "max_active_duration");
    case "runtime_died":
      return again("process_died", "the agent's process died", end.detail);
    case "lifeless":
      return again("no_sign_of_life", "the agent showed no sign of life", end.detail);
    case "model_error":
      switch (end.consequence) {
        case "retry":
          return again("model_unavailable", "the model gave no answer", end.detail);
        case "park":
          return waitsForProvider(facts, `${end.reason}: ${end.detail}`);
        case "stop":
          return fail("model_refused", `the model refused the request: ${end.detail}`);
        case "tell":
          return {
            next: "move",
            event: {
              ...base,
              type: "ESCALATE",
              reason: `the model provider refused the key in \`${facts.keyVariable}\`: ${end.detail}`,
              category: "provider",
              question: `Put a valid key into \`${facts.keyVariable}\` where Flotilla runs and restart it, then say \`/flotilla resume\`.`,
              breaker: null,
            },
          };
      }
    case "idle":
      if (pending) return { next: "say", what: "brief" };
      if (agent.nudges === 0) return { next: "say", what: "nudge" };
      return {
        next: "move",
        event: {
          ...base,
          type: "ESCALATE",
          reason: "it stopped twice without saying whether it is done, blocked or stuck",
          category: "ended_without_report",
          question: null,
          breaker: null,
        },
      };
  }
}
