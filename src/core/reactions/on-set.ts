import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import { changedMarks, MARKS_WRITTEN, type MarkChange, readMarks, ttlFault } from "../marks.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, type Reaction, type View } from "../reaction.ts";
import { inlineCode } from "../text/inline-code.ts";
import { cannotTake } from "./cannot-take.ts";

/** `/flotilla set ttl=8h tag=x label=team=core`: for all live agents of the issue, or for none. */
export function onSet(occurrence: OccurrenceOf<"commented">, view: View, rest: string): Reaction {
  const words = wordsOf(rest);
  const change = readMarks(words);
  if ("fault" in change) return marksRefused(change.fault);
  if (words.length === 0) return marksRefused("it says nothing to set");
  const live = view.agents.filter(isLive);
  if (live.length === 0) return cannotTake("set", view);
  return setsMarks(live, change, saidBy(occurrence, rest));
}

interface Said {
  readonly at: number;
  readonly actor: string;
  /** As it was written. */
  readonly words: string;
}

export function saidBy({ at, actor }: Pick<OccurrenceOf<"commented">, "at" | "actor">, words: string): Said {
  return { at, actor: `@${actor.login}`, words };
}

/** Sets it on each of the agents; where one of them cannot have it, on none. */
export function setsMarks(
  agents: readonly AgentRecord[],
  change: MarkChange,
  { at, actor, words }: Said,
): Reaction {
  for (const agent of agents) {
    const marks = changedMarks(agent, change);
    if ("fault" in marks) return marksRefused(marks.fault, agent.id);
    const late = change.ttlMs === undefined ? null : ttlFault(agent, marks.ttlMs, at);
    if (late !== null)
      return decided("marks_refused", late, {
        agentId: agent.id,
        change: "use a longer ttl, or `/flotilla cancel`",
      });
  }
  const said = inlineCode(words);
  return joined(
    ...agents.map(({ id: agentId, name }) => ({
      ...decided("marks_set", `${actor} sets ${said} on ${name}`, { agentId }),
      marks: [{ agentId, change }],
    })),
  );
}

/** A start or a change that says it otherwise than it is written. */
export function marksRefused(fault: string, agentId?: number): Reaction {
  return decided("marks_refused", fault, {
    change: `write ${MARKS_WRITTEN}`,
    ...(agentId === undefined ? {} : { agentId }),
  });
}

/** A word that sets something, or one that lacks its value. */
const ofMarks = (word: string) => word.includes("=") || /^(?:ttl|tag|label)$/.test(word);

const TURNS = "turns=";

/** What stands behind `/flotilla start`: names of roles, and what is set on the new agent; undefined where nothing is. */
export function readStart(rest: string): {
  readonly names: readonly string[];
  /** As written. */
  readonly turns: string | undefined;
  readonly marks: MarkChange | { readonly fault: string } | undefined;
} {
  const words = wordsOf(rest);
  const said = words.filter((word) => ofMarks(word) && !word.startsWith(TURNS));
  return {
    names: words.filter((word) => !ofMarks(word)),
    turns: words.findLast((word) => word.startsWith(TURNS))?.slice(TURNS.length),
    marks: said.length === 0 ? undefined : readMarks(said),
  };
}

function wordsOf(rest: string): readonly string[] {
  return rest.split(/\s+/).filter((word) => word !== "");
}
