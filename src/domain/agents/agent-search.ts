import { AGENT_STATES, type AgentRecord, LIVE_AGENT_STATES } from "./agent-record.ts";

export const SEARCH_STATES = ["live", "ended", "any", ...AGENT_STATES] as const;
export type SearchState = (typeof SEARCH_STATES)[number];

export const SEARCH_ORDERS = ["latest", "oldest", "costliest"] as const;
export type SearchOrder = (typeof SEARCH_ORDERS)[number];

/** What people look for among the agents: an agent must match all of it. */
export interface AgentSearch {
  readonly states: readonly AgentRecord["state"][];
  readonly role: string | null;
  readonly words: readonly SearchWord[];
  readonly order: SearchOrder;
}

/** A word that the number or title of the issue, the role, the repository, or who had the agent started must match. */
export interface SearchWord {
  readonly text: string;
  /** The repositories whose name contains the word. */
  readonly repositories: readonly number[];
}

/** Words of a search that are looked at; what follows them is ignored. */
const MOST_WORDS = 8;

export function statesOf(wanted: SearchState): readonly AgentRecord["state"][] {
  if (wanted === "any") return AGENT_STATES;
  if (wanted === "live") return LIVE_AGENT_STATES;
  if (wanted === "ended") return AGENT_STATES.filter((state) => !isLiveState(state));
  return [wanted];
}

/** Returns whether all of these states are those of agents that have not ended, of which there are few. */
export function areLive(states: readonly AgentRecord["state"][]): boolean {
  return states.every(isLiveState);
}

function isLiveState(state: AgentRecord["state"]): boolean {
  return LIVE_AGENT_STATES.some((live) => live === state);
}

/** Returns the words of a search as a person types it; `#41` and `@alice` mean the same without their sign. */
export function searchWords(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/^[#@]/, "").toLowerCase())
    .filter((word) => word !== "")
    .slice(0, MOST_WORDS);
}

/**
 * Returns the word of a search as a text may have it after a database has made its letters small: one of them does that with A to Z
 * alone, so "Ärger" keeps its first letter.
 */
export function spellings(word: string): readonly string[] {
  const [first = "", ...rest] = word;
  const forms = [word, word.toUpperCase(), first.toUpperCase() + rest.join("")];
  return [...new Set(forms.map((form) => form.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())))];
}
