import { type Conversations, call, type Step } from "../../journeys/a-scenario.ts";
import type { Scene } from "./scene.ts";

/** Numbers the issues of a story as they will be opened: 1, 2, 3 … */
export function numbered<const Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, number>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has all names
  return Object.fromEntries(names.map((name, index) => [name, index + 1])) as Record<Name, number>;
}

/** Opens the issues, in the order of their numbers. */
export async function opens({ octocat }: Scene, issues: Readonly<Record<string, number>>): Promise<void> {
  for (const name of Object.keys(issues))
    await octocat.openIssue({ title: `The ${name}`, body: `Please see to the ${name}.` });
}

/** Runs a command in the agent's worktree. */
export function runs(command: string): Step {
  return call("bash", { command, description: "Work" });
}

/** So many steps, each of which changes a file. */
export function busy(count: number): Step[] {
  return Array.from({ length: count }, (_, place) =>
    runs(`echo ${place} >> steps-${place}.txt; wc -l steps-${place}.txt`),
  );
}

/** What roles with these names and labels work on anything are, beside the coders; see test/fixtures/roles. */
export function anyone(...names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      { prompt: "anyone.md", triggers: [{ event: "issues.labeled", label: name }] },
    ]),
  );
}

/** A reviewer that gives the same verdict on whatever it sees. */
export function reviewer(verdict: "approve" | "reject", delayMs = 0): Conversations[number] {
  return {
    match: "You are reviewer\\..*Review commit",
    again: "You were interrupted",
    steps: [
      { ...call("bash", { command: "git show --stat HEAD", description: "Look at the change" }), delayMs },
      call("submit_verdict", {
        commit: "{{commit}}",
        verdict,
        body: verdict === "approve" ? "It does what the issue asks." : "It is still not what the issue asks.",
        evidence: ["git show --stat HEAD"],
      }),
    ],
  };
}

/** The roles of agents that write and of one that reviews. */
export const REVIEWER = {
  prompt: "reviewer.md",
  lifecycle: "ephemeral",
  checkout: "head",
  evidence: "verdict",
  triggers: [{ event: "task.ready_for_review" }],
};
