import type { AgentRecord, Holder } from "../agents/agent-record.ts";
import { pauseLift, pauseText, type ScopePauseRow } from "./scope.ts";

/** Why an agent neither starts nor wakes, and what ends that; both in words. */
export interface Hold {
  readonly by: Holder | "pause" | "suspended" | "archived" | "disk" | "confinement";
  readonly what: string;
  readonly ends: string;
}

/** Holders that a resume of the agent removes. */
export const RESUMABLE: readonly Holder[] = ["person", "commit", "invariant"];

const OWN: Readonly<Record<Holder, Omit<Hold, "by">>> = {
  person: { what: "a person paused it", ends: "`/flotilla resume` on the issue lets it continue" },
  commit: {
    what: "somebody else pushed to its branch",
    ends: "`/flotilla resume` on the issue lets it continue",
  },
  lock: { what: "its issue is locked", ends: "it continues when the issue is unlocked" },
  sprint: {
    what: "its sprint is at CHECKPOINT",
    ends: "`/flotilla continue` on the goal's tracking issue lets it continue",
  },
  invariant: {
    what: "its rows in the database contradict each other",
    ends: "the operator looks at it with `flotilla doctor`; `flotilla agents resume` lets it continue once the rows are fixed, `flotilla agents kill` ends it",
  },
  incident: { what: "an incident holds it", ends: "it continues when the incident is over" },
};

export function scopeHold(pause: Omit<ScopePauseRow, "id" | "since">): Hold {
  const by = pause.holder === "person" || pause.holder === "file" ? "pause" : pause.holder;
  return { by, what: pauseText(pause), ends: pauseLift(pause) };
}

/**
 * Returns all that holds an agent that is not at work: its own holders, then what holds its scope. An agent at work has
 * none: during an incident one agent works as a probe.
 */
export function holdsOf(
  agent: Pick<AgentRecord, "state" | "heldBy" | "reason">,
  around: readonly Hold[],
): readonly Hold[] {
  if (!["CREATED", "SLEEPING", "ESCALATED"].includes(agent.state)) return [];
  const own = agent.heldBy.filter((holder) => !around.some(({ by }) => by === holder));
  return [...own.map((by) => ({ by, ...OWN[by], ...whyHeld(agent) })), ...around];
}

/**
 * These holds stop agents but no merge, since a merge runs none. After a push the approval is given for the new commit.
 * An incident ends only when an agent gets through; with no agent left to try, approved work would wait for ever.
 */
const AGENTS_ONLY: readonly Hold["by"][] = ["disk", "confinement", "commit", "incident"];

/** Returns what keeps Flotilla from merging the work of an issue: what holds its agents, and what holds its scope. */
export function holdsOnWork(
  agents: readonly Pick<AgentRecord, "state" | "heldBy" | "reason">[],
  around: readonly Hold[],
): readonly Hold[] {
  const all = [...agents.flatMap((agent) => holdsOf(agent, around)), ...around];
  const held = all.filter(({ by }) => !AGENTS_ONLY.includes(by));
  return [...new Map(held.map((hold) => [`${hold.by} ${hold.what}`, hold])).values()];
}

/** Returns the reason of a pause from the agent's record; with several holders it is the last one's. */
function whyHeld({ state, heldBy, reason }: Pick<AgentRecord, "state" | "heldBy" | "reason">) {
  return state === "ESCALATED" || heldBy.length !== 1 || reason === null ? {} : { what: reason };
}

export function isResumable(hold: Hold): boolean {
  return RESUMABLE.some((holder) => holder === hold.by);
}

/** Returns what holds it, in words. */
export function holdText(holds: readonly Hold[]): string {
  return holds.map(({ what }) => what).join("; ");
}

/** Returns what ends the holds; each end is named once. */
export function holdEnds(holds: readonly Hold[]): string {
  return [...new Set(holds.map(({ ends }) => ends))].join("; ");
}
