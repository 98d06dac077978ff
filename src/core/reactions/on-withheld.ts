import type { Effect } from "../effect.ts";
import { firstLevelFor, type Withheld } from "../level.ts";
import type { AgentRecord, SleepReason } from "../machines/agent-record.ts";
import { decided, joined, NOTHING, type Reaction } from "../reaction.ts";
import { wouldWords } from "../text/withheld.ts";

/** Sleeps that only somebody ends who reads what is written on GitHub. */
const FOR_PEOPLE: readonly (SleepReason | null)[] = ["question", "approval", "review"];

/** By these people learn that an agent waits for them. */
const ASKING: readonly Effect["kind"][] = ["post_comment", "question_comment", "add_labels"];

/** Told of an agent; what only shows how things stand is told of the issue, once. */
const SHOWING: readonly Effect["kind"][] = [
  "status_comment",
  "task_label",
  "remove_label",
  "react",
  "pull_facts",
];

/**
 * A write that the level did not let out: what it would have been is a decision, and an agent that now waits for people
 * who are never asked comes to an end that says so.
 */
export function onWithheld(
  effect: Effect,
  agent: AgentRecord | null,
  { level, at }: Pick<Withheld, "level"> & { readonly at: number },
): Reaction {
  const showing = SHOWING.includes(effect.kind);
  const noted = decided(
    "withheld",
    `the level is ${level}, so nothing was written: it ${wouldWords(effect)}`,
    {
      change: `\`level\` ${firstLevelFor(effect.kind)} lets it out`,
      ...(agent === null || showing ? {} : { agentId: agent.id }),
      inputs: { level, effect: effect.kind },
    },
  );
  if (agent === null || !ASKING.includes(effect.kind) || !waitsForPeople(agent)) return noted;
  const wants = agent.state === "ESCALATED" ? agent.reason : null;
  const why = `the level is ${level}, at which nobody is asked, and it needs a person: ${wants ?? `it ${wouldWords(effect)}`}`;
  const event = { type: "CANCEL", at, actor: "flotilla", why, quiet: false } as const;
  return joined(noted, { ...NOTHING, moves: [{ machine: "agent", id: agent.id, event }] });
}

function waitsForPeople({ state, sleepReason }: AgentRecord): boolean {
  return state === "ESCALATED" || (state === "SLEEPING" && FOR_PEOPLE.includes(sleepReason));
}
