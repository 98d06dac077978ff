import { AGENT_STATES, type AgentRecord } from "./agent-record.ts";
import { RUN_STATES, type RunRecord } from "./run.ts";
import { SESSION_STATES, type SessionState } from "./session.ts";

/** Every word for where an agent stands: its own states in capitals, then those of its run and of its conversation. */
export const STATE_WORDS: readonly string[] = [
  ...new Set([...AGENT_STATES, ...RUN_STATES, ...SESSION_STATES]),
];

/** What a word is the name of. */
export interface NamedState {
  readonly agent: AgentRecord["state"] | null;
  readonly run: RunRecord["state"] | null;
  readonly session: SessionState | null;
}

/**
 * In capitals a word is a state of the agent alone. In lower case it is that of the agent, its run or its conversation: an
 * agent that stands so by any of the three is meant. Null for a word that there is not.
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
