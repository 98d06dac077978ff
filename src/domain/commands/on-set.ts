import {
  ATTRIBUTES_WRITTEN,
  type AttributeChange,
  changedAttributes,
  readAttributes,
  ttlFault,
} from "../agents/agent-attributes.ts";
import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { cannotTake } from "../agents/cannot-take.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState, mergeChanges } from "../kernel/change-set.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { personNamed } from "../status/person-named.ts";

/** Handles `/flotilla set ttl=8h tag=x label=team=core` for all live agents of the issue, or for none. */
export function onSet(event: DomainEventOf<"commented">, view: IssueState, rest: string): ChangeSet {
  const words = wordsOf(rest);
  const change = readAttributes(words);
  if ("fault" in change) return attributesRefused(change.fault);
  if (words.length === 0) return attributesRefused("it says nothing to set");
  const live = view.agents.filter(isLive);
  if (live.length === 0) return cannotTake("set", view);
  return setsAttributes(live, change, saidBy(event, rest));
}

interface Said {
  readonly at: number;
  readonly actor: string;
  /** The change as it was written. */
  readonly words: string;
}

export function saidBy({ at, actor }: Pick<DomainEventOf<"commented">, "at" | "actor">, words: string): Said {
  return { at, actor: personNamed(actor.login), words };
}

/** Sets the attributes of each agent; where one of them cannot have them, of none. */
export function setsAttributes(
  agents: readonly AgentRecord[],
  change: AttributeChange,
  { at, actor, words }: Said,
): ChangeSet {
  for (const agent of agents) {
    const attributes = changedAttributes(agent, change);
    if ("fault" in attributes) return attributesRefused(attributes.fault, agent.id);
    const late = change.ttlMs === undefined ? null : ttlFault(agent, attributes.ttlMs, at);
    if (late !== null)
      return decisionOnly("marks_refused", late, {
        agentId: agent.id,
        change: "use a longer ttl, or `/flotilla cancel`",
      });
  }
  const said = inlineCode(words);
  return mergeChanges(
    ...agents.map(({ id: agentId, name }) => ({
      ...decisionOnly("marks_set", `${actor} sets ${said} on ${name}`, { agentId }),
      attributes: [{ agentId, change }],
    })),
  );
}

/** Refuses a start or a change whose attributes cannot be read. */
export function attributesRefused(fault: string, agentId?: number): ChangeSet {
  return decisionOnly("marks_refused", fault, {
    change: `write ${ATTRIBUTES_WRITTEN}`,
    ...(agentId === undefined ? {} : { agentId }),
  });
}

/** Refuses a start whose words cannot be read. */
export function startRefused(fault: string): ChangeSet {
  return decisionOnly("marks_refused", fault, {
    change: `write each once: \`turns=80\`, \`model=name\`, \`tools=read,edit\`, \`temperature=0.2\`, ${ATTRIBUTES_WRITTEN}`,
  });
}

/** Returns true for a word that sets an attribute, or that lacks its value. */
const setsAttribute = (word: string) => word.includes("=") || /^(?:ttl|tag|label)$/.test(word);

/** Keys of a start that set no attribute. */
const CHOSEN = ["turns", "model", "tools", "temperature"] as const;

/**
 * Parses the text after `/flotilla start`: names of roles, the base branch after `on`, the runtime after `with`, and attributes
 * of the new agent; undefined where there are none.
 */
export function readStart(rest: string): {
  readonly names: readonly string[];
  /** As written. */
  readonly chosen: { readonly [K in (typeof CHOSEN)[number]]: string | undefined };
  readonly attributes: AttributeChange | { readonly fault: string } | undefined;
  readonly base: string | undefined;
  readonly runtime: string | undefined;
} {
  const { value: base, words: others } = takeAfter("on", wordsOf(rest));
  const { value: runtime, words } = takeAfter("with", others);
  const valuesOf = (key: string) => words.filter((word) => word.startsWith(`${key}=`));
  const valueOf = (key: string) => valuesOf(key)[0]?.slice(key.length + 1);
  const repeated = CHOSEN.find((key) => valuesOf(key).length > 1);
  const said = words.filter(
    (word) => setsAttribute(word) && !CHOSEN.some((key) => word.startsWith(`${key}=`)),
  );
  const attributes = said.length === 0 ? undefined : readAttributes(said);
  return {
    names: words.filter((word) => !setsAttribute(word)),
    chosen: {
      turns: valueOf("turns"),
      model: valueOf("model"),
      tools: valueOf("tools"),
      temperature: valueOf("temperature"),
    },
    attributes: repeated ? { fault: `\`${repeated}=\` is written more than once` } : attributes,
    base,
    runtime,
  };
}

/**
 * Takes a preposition and the word after it out of the others. Where no word follows that can be its value, it is read as a
 * role, and answered so.
 */
function takeAfter(
  preposition: string,
  words: readonly string[],
): { readonly value: string | undefined; readonly words: readonly string[] } {
  const at = words.findIndex((word, index) => {
    const next = words[index + 1];
    return word.toLowerCase() === preposition && next !== undefined && !setsAttribute(next);
  });
  return at < 0 ? { value: undefined, words } : { value: words[at + 1], words: words.toSpliced(at, 2) };
}

function wordsOf(rest: string): readonly string[] {
  return rest.split(/\s+/).filter((word) => word !== "");
}
