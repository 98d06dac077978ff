import { labelFault, tagFault } from "./agent-attributes.ts";
import type { AgentRecord } from "./agent-record.ts";
import { type NamedState, namedState, STATE_WORDS } from "./state-words.ts";

/** Which agents to list: those that match every given field. */
export interface AgentFilter {
  readonly state?: NamedState;
  readonly tags?: readonly string[];
  /** Written as `key=value`. */
  readonly labels?: readonly string[];
  readonly role?: string;
  readonly mode?: AgentRecord["mode"];
  /** Login of the person, or `operator:<account>`, who caused the agent to be created. */
  readonly by?: string;
}

const MODES = ["continuous", "one_shot"] as const;

export const FILTER_KEYS = ["state", "tag", "label", "role", "mode", "by"] as const;
type FilterKey = (typeof FILTER_KEYS)[number];

/** Parses a filter; commas separate several tags or labels. The fault is a sentence. */
export function readFilter(
  asked: Readonly<Partial<Record<FilterKey, string>>>,
): AgentFilter | { readonly fault: string; readonly key: FilterKey } {
  const tags = asked.tag?.split(",") ?? [];
  const labels = asked.label?.split(",") ?? [];
  const state = asked.state === undefined ? undefined : namedState(asked.state);
  const mode = MODES.find((known) => known === asked.mode);
  const refuse = (key: FilterKey, fault: string) => ({ key, fault });
  if (state === null) return refuse("state", `takes one of ${STATE_WORDS.join(", ")}`);
  if (asked.mode !== undefined && mode === undefined) return refuse("mode", `takes ${MODES.join(" or ")}`);
  for (const tag of tags) {
    const fault = tagFault(tag);
    if (fault !== null) return refuse("tag", `takes tags: ${fault}`);
  }
  for (const label of labels) {
    const fault = labelFault(label);
    if (fault !== null) return refuse("label", `takes labels: ${fault}`);
  }
  return {
    ...(state === undefined ? {} : { state }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(labels.length === 0 ? {} : { labels }),
    ...(mode === undefined ? {} : { mode }),
    ...(asked.role === undefined ? {} : { role: asked.role }),
    ...(asked.by === undefined ? {} : { by: asked.by.replace(/^@/, "") }),
  };
}

/**
 * Returns whether agents are listed by the time of their last change of state; else the order is that of their
 * creation.
 */
export function isByState({ state, tags, labels, by }: AgentFilter): boolean {
  return state !== undefined && tags === undefined && labels === undefined && by === undefined;
}
