import type { Stage } from "./stage.ts";

/** What came out, for the end of the demo: issues with their agents, pull requests with their diffs, addresses to click. */
export async function summary(stage: Stage, seconds: number): Promise<readonly string[]> {
  const { github } = stage;
  const state = github.state();
  const repository = `${github.origin}/${github.installation.account.login}/${state.repository.name}`;
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
    const answer = await fetch(`${repository}/pull/${pull.number}.diff`);
    if (answer.ok)
      lines.push(
        ...(await answer.text())
          .trimEnd()
          .split("\n")
          .map((line) => `    ${line}`),
      );
  }
  return lines;
}
