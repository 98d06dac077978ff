import { AGENT_STATES, type AgentRecord } from "./agent-record.ts";
import { RUN_STATES, type RunRecord } from "./run.ts";
import { SESSION_STATES, type SessionState } from "./session.ts";

/**
 * Every name of a state that people can filter by: the agent's own states in capitals, then those of its run and of its
 * conversation.
 */
export const STATE_WORDS: readonly string[] = [
  ...new Set([...AGENT_STATES, ...RUN_STATES, ...SESSION_STATES]),
];

/** What a word names. */
export interface NamedState {
  readonly agent: AgentRecord["state"] | null;
  readonly run: RunRecord["state"] | null;
  readonly session: SessionState | null;
}

/**
 * Returns the state that a word names; null for an unknown word. A word in capitals is a state of the agent; in lower
 * case it may be a state of the agent, its run or its conversation, and matches an agent with any of these.
 */
export function namedState(word: string): NamedState | null {
  const lower = word === word.toLowerCase();
  const named = {
    agent: AGENT_STATES.find((state) => state === (lower ? word.toUpperCase() : word)) ?? null,
    run: RUN_STATES.find((state) => state === word) ?? null,
    session: SESSION_STATES.find((state) => state === word) ?? null,
  };
  return named.agent === null && named.run === null && named.session === null ? null : named;
}
