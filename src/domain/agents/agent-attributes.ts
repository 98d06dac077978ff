import { duration } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { parseDuration, printDuration } from "../settings/duration.ts";
import type { AgentRecord } from "./agent-record.ts";

/**
 * What people attach to an agent: its time to live, counted from its creation; labels, which are pairs of key and value
 * (`team=core`); and tags, which are free words.
 */
export type AgentAttributes = Pick<AgentRecord, "ttlMs" | "labels" | "tags">;

export const NO_ATTRIBUTES: AgentAttributes = { ttlMs: null, labels: [], tags: [] };

/** Returns the attributes of the next attempt: those of the attempt before it. Its time to live starts again. */
export function attributesOf({ ttlMs, labels, tags }: AgentAttributes): AgentAttributes {
  return { ttlMs, labels, tags };
}

/** A change of attributes, as `ttl=8h tag=x label=team=core untag=y unlabel=team` writes it. */
export interface AttributeChange {
  /** Null removes it; undefined leaves it unchanged. */
  readonly ttlMs?: number | null;
  readonly labels: readonly string[];
  readonly tags: readonly string[];
  /** Keys of labels. */
  readonly unlabel: readonly string[];
  readonly untag: readonly string[];
}

export const NO_CHANGE: AttributeChange = { labels: [], tags: [], unlabel: [], untag: [] };

/** The limit for an agent's labels, and for its tags. */
export const MOST_ATTRIBUTES = 20;

/** How to write `set`, for the answer to a command that cannot be read. */
export const ATTRIBUTES_WRITTEN =
  "`ttl=8h` (or `ttl=none`), `tag=word`, `label=key=value`, `untag=word`, `unlabel=key`";

const WORD = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;
const WORD_WRITTEN = "1 to 50 letters (a to z), digits, `.`, `_` or `-`, a letter or digit first";

/** Returns why a text is not a valid tag; null for a valid one. */
export function tagFault(tag: string): string | null {
  return WORD.test(tag) ? null : `a tag is ${WORD_WRITTEN}`;
}

/** Returns why a text is not a valid label, written `key=value`; null for a valid one. */
export function labelFault(label: string): string | null {
  const [key = "", value = "", ...more] = label.split("=");
  return more.length === 0 && WORD.test(key) && WORD.test(value)
    ? null
    : `a label is \`key=value\`, each of them ${WORD_WRITTEN}`;
}

/** Parses the words of `set`; the fault is a sentence about the first word that cannot be read. */
export function readAttributes(words: readonly string[]): AttributeChange | { readonly fault: string } {
  const change = {
    labels: [] as string[],
    tags: [] as string[],
    unlabel: [] as string[],
    untag: [] as string[],
  };
  let ttl: { ttlMs?: number | null } = {};
  for (const word of words) {
    const [key = ""] = word.split("=", 1);
    const value = word.slice(key.length + 1);
    switch (key) {
      case "ttl": {
        const ttlMs = value === "none" ? null : parseDuration(value);
        if (ttlMs === undefined)
          return { fault: "a ttl is one number with its unit, such as 90m, 8h or 7d, or `none`" };
        ttl = { ttlMs };
        break;
      }
      case "tag":
      case "untag": {
        const fault = tagFault(value);
        if (fault !== null) return { fault };
        change[key === "tag" ? "tags" : "untag"].push(value);
        break;
      }
      case "label": {
        const fault = labelFault(value);
        if (fault !== null) return { fault };
        change.labels.push(value);
        break;
      }
      case "unlabel":
        if (!WORD.test(value)) return { fault: `the key of a label is ${WORD_WRITTEN}` };
        change.unlabel.push(value);
        break;
      default:
        return { fault: `${inlineCode(word, 60)} sets nothing` };
    }
  }
  return { ...change, ...ttl };
}

/** Returns the attributes after a change; the last value given for a label's key counts. */
export function changedAttributes(
  attributes: AgentAttributes,
  change: AttributeChange,
): AgentAttributes | { readonly fault: string } {
  const { ttlMs = attributes.ttlMs, unlabel, untag } = change;
  const labels = new Map(attributes.labels.map((label) => [keyOf(label), label]));
  for (const key of unlabel) labels.delete(key);
  for (const label of change.labels) labels.set(keyOf(label), label);
  const tags = new Set([...attributes.tags.filter((tag) => !untag.includes(tag)), ...change.tags]);
  if (labels.size > MOST_ATTRIBUTES || tags.size > MOST_ATTRIBUTES)
    return { fault: `an agent has at most ${MOST_ATTRIBUTES} labels and ${MOST_ATTRIBUTES} tags` };
  return { ttlMs, labels: [...labels.values()], tags: [...tags] };
}

/**
 * Returns why an agent cannot have this time to live; null where it can. One that is already over would end the agent
 * at once.
 */
export function ttlFault(
  agent: Pick<AgentRecord, "createdAt">,
  ttlMs: number | null,
  at: number,
): string | null {
  if (ttlMs === null || agent.createdAt + ttlMs > at) return null;
  return `the agent is ${duration(at - agent.createdAt)} old, so ttl=${printDuration(ttlMs)} has already expired`;
}

/** Returns `ttl=8h team=core urgent`, as lists and messages show it. */
export function attributesText({ ttlMs, labels, tags }: AgentAttributes): string {
  return [...(ttlMs === null ? [] : [`ttl=${printDuration(ttlMs)}`]), ...labels, ...tags].join(" ");
}

function keyOf(label: string): string {
  return label.slice(0, label.indexOf("="));
}
