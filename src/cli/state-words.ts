import { nearest } from "../config/nearest.ts";
import { AGENT_STATES } from "../domain/agents/agent-record.ts";
import { SESSION_STATES } from "../domain/agents/session.ts";

/** Returns the states in their own spelling, whatever case was typed; or a line that lists the known ones. */
export function statesTyped(
  words: readonly string[],
  known: readonly string[] = AGENT_STATES,
): { readonly states: readonly string[] } | { readonly unknown: string } {
  const states = words.map((word) =>
    known.find((state) => state.toLowerCase() === word.trim().toLowerCase()),
  );
  const at = states.indexOf(undefined);
  if (at === -1) return { states: states.filter((state) => state !== undefined) };
  const word = words[at]?.trim() ?? "";
  const near = nearest(word, known);
  const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
  return { unknown: `There is no state "${word}".${meant} There are ${known.join(", ")}.` };
}

/** The states of agents and sessions that can be waited for, so not `unspecified`. */
export const WAITED_FOR: readonly string[] = [
  ...AGENT_STATES,
  ...SESSION_STATES.filter((state) => state !== "unspecified"),
];
