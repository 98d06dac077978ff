import { agentKey } from "../agents/agent-key.ts";
import { fullName } from "../kernel/repository.ts";
import type { ToolCallRow } from "../kernel/rows.ts";
import { inlineCode } from "../messages/inline-code.ts";

/** Number of steps shown, and characters of the arguments of each. */
const STEPS_SHOWN = 5;
const INPUT_SHOWN = 100;

/** Returns an agent's last steps, one line each, the latest last. The stored arguments contain no secrets. */
export function lastSteps(calls: readonly ToolCallRow[]): readonly string[] {
  return calls
    .slice(-STEPS_SHOWN)
    .map(
      ({ tool, turn, status, input }) =>
        `turn ${turn}: \`${tool}\`, ${status}: ${inlineCode(input, INPUT_SHOWN)}`,
    );
}

/**
 * Returns where an agent's work can be seen: after its first push, links from the root of the GitHub server; always,
 * the command that shows the operator everything.
 */
export function workLinks(
  agent: {
    readonly name: string;
    readonly branch: string | null;
    readonly headCommit: string | null;
    readonly prNumber: number | null;
  },
  repository: { readonly owner: string; readonly name: string },
  base: string,
): readonly string[] {
  const { branch, headCommit, prNumber } = agent;
  const key = agentKey(fullName(repository), agent.name);
  const transcript = `transcript (the operator prints it with \`flotilla agents transcript ${key}\`)`;
  if (branch === null || headCommit === null) return [transcript];
  const root = `/${fullName(repository)}`;
  return [
    `[branch](${root}/tree/${encodeURI(branch)})`,
    `[diff](${root}/compare/${encodeURI(base)}...${encodeURI(branch)})`,
    ...(prNumber === null ? [] : [`#${prNumber}`]),
    transcript,
  ];
}
