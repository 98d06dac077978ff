import type { Counts, Outcome } from "./outcome.ts";

/** One thing with two different results; null on the side where it does not exist. */
export interface Difference {
  readonly what: "delivery" | "transition" | "decision" | "effect" | "wake" | "limit" | "level";
  readonly recorded: string | null;
  readonly again: string | null;
}

export interface Compared {
  readonly differences: readonly Difference[];
  /** How many results are the same. */
  readonly same: Counts;
}

/** One result in words; equal `of` on both sides marks corresponding results, even with different words. */
interface Said {
  readonly of: string;
  readonly text: string;
}

/** Compares two outcomes of one delivery. The order within a transaction does not matter. */
export function compareOutcomes(recorded: Outcome, again: Outcome): Compared {
  const transitions = pairs(
    "transition",
    recorded.transitions.map(saidMove),
    again.transitions.map(saidMove),
  );
  const decisions = pairs(
    "decision",
    recorded.decisions.map(saidDecision),
    again.decisions.map(saidDecision),
  );
  const effects = pairs("effect", recorded.effects.map(saidEffect), again.effects.map(saidEffect));
  const wakes = pairs("wake", recorded.wakes.map(saidWake), again.wakes.map(saidWake));
  return {
    differences: [transitions, decisions, effects, wakes].flatMap(({ differences }) => differences),
    same: {
      transitions: transitions.same,
      decisions: decisions.same,
      effects: effects.same,
      wakes: wakes.same,
    },
  };
}

function pairs(
  what: Difference["what"],
  recorded: readonly Said[],
  again: readonly Said[],
): { readonly differences: readonly Difference[]; readonly same: number } {
  const left = [...again];
  const take = (holds: (one: Said) => boolean): Said | undefined => {
    const index = left.findIndex(holds);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const gone = recorded.filter(
    ({ of, text }) => take((one) => one.of === of && one.text === text) === undefined,
  );
  const changed = gone.map(({ of, text }) => ({
    what,
    recorded: text,
    again: take((one) => one.of === of)?.text ?? null,
  }));
  const added = left.map(({ text }) => ({ what, recorded: null, again: text }));
  return { differences: [...changed, ...added], same: recorded.length - gone.length };
}

function saidMove(move: Outcome["transitions"][number]): Said {
  const { machine, recordId, event, actor, from, to, reason } = move;
  const name = `${machine} ${recordId}`;
  const why = reason === null ? "" : `: ${reason}`;
  return { of: `${name} ${event}`, text: `${name} ${from} → ${to} by ${event} of ${actor}${why}` };
}

function saidDecision({ rule, agentId, reason, change }: Outcome["decisions"][number]): Said {
  const about = agentId === null ? "" : ` about agent ${agentId}`;
  const next = change === null ? "" : ` → ${change}`;
  return { of: `${rule}${about}`, text: `${rule}${about}: ${reason}${next}` };
}

function saidEffect({ key, kind, payload }: Outcome["effects"][number]): Said {
  return { of: key, text: `${kind} ${JSON.stringify(payload)}` };
}

function saidWake({ key, agentId, reason, detail }: Outcome["wakes"][number]): Said {
  return { of: key, text: `agent ${agentId} by ${reason}: ${detail}` };
}
