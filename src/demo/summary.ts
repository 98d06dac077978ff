import { z } from "zod";
import type { Stage } from "./stage.ts";

/**
 * Summarizes the outcome at the end of the demo: issues with their agents, pull requests with their diffs, and links.
 */
export async function summary(stage: Stage, seconds: number): Promise<readonly string[]> {
  const state = stage.github.state();
  const repository = repositoryUrl(stage);
  const agents = await stage.api.agents();
  const lines = ["", `After ${seconds.toFixed(1)} s`, ""];
  for (const issue of state.issues()) {
    lines.push(`#${issue.number} ${issue.title} (${issue.state})  ${repository}/issues/${issue.number}`);
    for (const agent of agents.filter((one) => one.issue === issue.number))
      lines.push(
        `    ${agent.role.padEnd(9)} ${agent.state}${agent.pr === null ? "" : `, pull request #${agent.pr}`}`,
      );
  }
  for (const pull of state.pulls()) {
    lines.push("", `Pull request #${pull.number} ${pull.title}  ${repository}/pull/${pull.number}`);
    for (const file of await filesOf(stage, pull.number))
      lines.push(`    ${file.filename}`, ...indented(file.patch));
  }
  return lines;
}

/** Returns the address of the repository's page on the local GitHub. */
export function repositoryUrl({ github }: Stage): string {
  return `${github.origin}/${github.installation.account.login}/${github.state().repository.name}`;
}

const file = z.object({ filename: z.string(), patch: z.string().default("") });

/** Returns the changed files of a pull request, as GitHub shows them to a person. */
async function filesOf(stage: Stage, pull: number): Promise<readonly z.infer<typeof file>[]> {
  const [login] = Object.keys(stage.people);
  if (login === undefined) return [];
  const answer = await stage.github.as(login).call("GET", `/pulls/${pull}/files`);
  return z.object({ items: z.array(file) }).parse(answer).items;
}

function indented(patch: string): readonly string[] {
  return patch.split("\n").map((line) => `      ${line}`);
}
