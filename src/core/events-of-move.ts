import type { MachineName } from "./rows.ts";
import type { RunEvent } from "./run-event.ts";

/** A move that was taken, as its transition row tells it. */
export interface TakenMove {
  readonly machine: MachineName;
  readonly event: string;
  readonly actor: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
  /** The run's count of steps after it, for moves of a run. */
  readonly step: number | null;
}

/** The events that a move causes, in order; they are rows of the same transaction. */
export function eventsOfMove(move: TakenMove): readonly RunEvent[] {
  const { machine, event, actor, from, to, reason } = move;
  // A counted turn is news of its own, and of no state.
  if (machine === "run" && event === "STEP" && from === to)
    return [{ type: "agent:step", data: { step: move.step ?? 0 } }];
  return [
    { type: "state:update", data: { machine, event, actor, from, to, reason } },
    ...(machine === "agent" ? ofAgent(move) : []),
    ...(machine === "run" && (to === "error" || to === "failed") && from !== to ? [failure(move)] : []),
    ...(machine === "run" && event === "STEP" ? [atTurnLimit] : []),
    ...(machine === "session" && event === "STOPPED" && from !== to
      ? [{ type: "agent:cleanup", data: { what: "process" } } as const]
      : []),
  ];
}

function ofAgent({ event, from, to, reason }: TakenMove): readonly RunEvent[] {
  if (from === to) return [];
  switch (to) {
    case "ACTIVE":
      return [{ type: "agent:starting", data: { cause: event, reason } }];
    case "SLEEPING":
    case "ESCALATED":
      return [{ type: "agent:paused", data: { state: to, reason } }];
    case "COMPLETED":
      return [{ type: "agent:completed", data: { result: reason ?? "" } }];
    default:
      return [];
  }
}

/** A step that moves its run: no turns are left, and a person has the choice. */
const atTurnLimit: RunEvent = {
  type: "approval:requested",
  data: { kind: "turn_limit", subject: "max_turns", choices: ["continue", "complete", "cancel"] },
};

function failure({ event, to, reason }: TakenMove): RunEvent {
  return {
    type: "agent:error",
    data: { code: event, error: reason ?? event, recoverable: to === "error" },
  };
}
