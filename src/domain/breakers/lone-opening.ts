/** The steps of an opening that read files which an agent can write. */
export const OPENING_STEPS = ["worktree", "conversation"] as const;
export type OpeningStep = (typeof OPENING_STEPS)[number];

/**
 * Counts how often in a row a step of an agent's opening began, with no other opening in progress, and did not end. A
 * file that crashes the process does so at the same step each time, so each step has its own count.
 */
export interface LoneOpening {
  readonly agentId: number;
  readonly step: OpeningStep;
  readonly begun: number;
}

const MOST_LOST = 3;

const STEP_WORDS: Readonly<Record<OpeningStep, string>> = {
  worktree: "while its worktree was made ready",
  conversation: "while its conversation was opened",
};

/** Returns why the agent is not opened again; null while it may be. */
export function lostForGood(openings: readonly LoneOpening[]): string | null {
  const lost = openings.find(({ begun }) => begun >= MOST_LOST);
  if (lost === undefined) return null;
  return `the process of Flotilla ended ${lost.begun} times ${STEP_WORDS[lost.step]}, with nothing else under way; the end of the log before each of these starts says more`;
}
