import { ERROR_STATUS, type ErrorCode } from "./error-code.ts";
import type { MachineName } from "./rows.ts";
import type { RunEvent, Turns } from "./run-event.ts";

/** A move with the fields of its transition row. */
export interface TakenMove {
  readonly machine: MachineName;
  readonly event: string;
  readonly actor: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
  /** The agent after the move; null where no agent is concerned. */
  readonly agent: { readonly session: string | null; readonly turns: Turns } | null;
  /** The run's count of steps and its error after the move; null for moves of other machines. */
  readonly run: { readonly step: number; readonly errorCode: ErrorCode | null } | null;
}

const NO_TURNS = { current_turn: null, max_turns: null, progress: null };
const NONE: Turns = { current_turn: 0, max_turns: 0, progress: 0 };

/** Returns the events that a move causes, in order; they are rows of the same transaction. */
export function eventsOfMove(move: TakenMove): readonly RunEvent[] {
  const { machine, event, actor, from, to, reason, agent } = move;
  const session = agent?.session ?? null;
  const turns = agent?.turns ?? NONE;
  // A counted turn is an event of its own, and changes no state.
  if (machine === "run" && event === "STEP" && from === to)
    return [{ type: "agent:step", data: { step: move.run?.step ?? 0, ...turns } }];
  const update = { machine, event, actor, from, to, reason, session, ...(agent?.turns ?? NO_TURNS) };
  return [
    { type: "state:update", data: update },
    ...(machine === "agent" ? ofAgent(move, session) : []),
    ...(machine === "run" && (to === "error" || to === "failed") && from !== to ? [failure(move)] : []),
    ...(machine === "run" && event === "STEP" ? [atTurnLimit(turns)] : []),
    ...(machine === "session" && event === "STOPPED" && from !== to
      ? [{ type: "agent:cleanup", data: { what: "process" } } as const]
      : []),
  ];
}

function ofAgent({ event, from, to, reason }: TakenMove, session: string | null): readonly RunEvent[] {
  if (from === to) return [];
  switch (to) {
    case "ACTIVE":
      return [{ type: "agent:starting", data: { cause: event, reason, session } }];
    case "SLEEPING":
    case "ESCALATED":
      return [{ type: "agent:paused", data: { state: to, reason } }];
    case "COMPLETED":
      return [{ type: "agent:completed", data: { result: reason ?? "" } }];
    default:
      return [];
  }
}

/** Returns the request for a person's choice when no turns are left. */
function atTurnLimit(turns: Turns): RunEvent {
  const choices = ["continue", "complete", "cancel"];
  return {
    type: "approval:requested",
    data: { kind: "turn_limit", subject: "max_turns", choices, ...turns },
  };
}

function failure({ event, from, to, reason, run }: TakenMove): RunEvent {
  const code = run?.errorCode ?? "internal_error";
  const details = { move: event, phase: from };
  return {
    type: "agent:error",
    data: { code, status: ERROR_STATUS[code], error: reason ?? code, recoverable: to === "error", details },
  };
}

/**
 * Returns the progress of an agent that has used so many of its turns. Turns over the limit, such as one to wrap up, do
 * not raise it above 1.
 */
export function turnsUsed(used: number, allowed: number): Turns {
  const share = allowed <= 0 ? 1 : used / allowed;
  return {
    current_turn: used,
    max_turns: allowed,
    progress: Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000,
  };
}
