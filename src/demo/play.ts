import { setTimeout as pause } from "node:timers/promises";
import type { ApiAgent } from "./api-client.ts";
import type { Act, Scenario } from "./scenario.ts";
import type { Stage } from "./stage.ts";

/** How often the API is polled while a scenario waits for a state. */
const POLL_MS = 100;

/** Plays what the people of the scenario do, in order. Calls `say` before each act. */
export async function play(stage: Stage, scenario: Scenario, say: (what: string) => void): Promise<void> {
  for (const act of scenario.story) await perform(stage, act, say);
}

async function perform(stage: Stage, act: Act, say: (what: string) => void): Promise<void> {
  const { github } = stage;
  if ("open" in act) {
    const { as, title, body, labels } = act.open;
    const number = await github.as(as).openIssue({ title, body, labels });
    say(`@${as} opened #${number} "${title}"`);
  } else if ("comment" in act) {
    const { as, issue, body } = act.comment;
    say(`@${as} comments on #${issue}: ${body}`);
    await github.as(as).comment(issue, body);
  } else if ("label" in act) {
    const { as, issue, name } = act.label;
    say(`@${as} puts the label ${name} on #${issue}`);
    await github.as(as).label(issue, name);
  } else if ("unlabel" in act) {
    const { as, issue, name } = act.unlabel;
    say(`@${as} takes the label ${name} off #${issue}`);
    await github.as(as).unlabel(issue, name);
  } else if ("close" in act) {
    const { as, issue } = act.close;
    say(`@${as} closes #${issue}`);
    await github.as(as).close(issue);
  } else if ("assign" in act) {
    const { as, issue, to } = act.assign;
    say(`@${as} assigns #${issue} to @${to}`);
    await github.as(as).assign(issue, to);
  } else if ("quote" in act) {
    const { issue, match } = act.quote;
    const ours = github
      .state()
      .comments(issue)
      .filter(({ author }) => author.type === "Bot");
    const comment = ours.find(({ body }) => body.includes(match));
    if (comment === undefined) throw new Error(`no comment of the App on #${issue} says "${match}"`);
    say(`Flotilla writes on #${issue}: ${comment.body.split("\n", 1)[0]?.replaceAll("**", "")}`);
  } else if ("merge" in act) {
    const { as, issue } = act.merge;
    const pull = await pullOf(stage, issue);
    say(`@${as} merges #${pull}, which closes #${issue}`);
    await github.as(as).merge(pull, "squash");
  } else {
    await reached(stage, act.wait);
  }
}

/** Resolves when an agent of the role on the issue is in the state. Rejects with the actual states otherwise. */
async function reached(
  stage: Stage,
  wanted: { issue: number; role: string; state: string; seconds: number },
): Promise<ApiAgent> {
  const end = Date.now() + wanted.seconds * 1000;
  for (;;) {
    const agents = await stage.api.agents();
    const mine = agents.filter((agent) => agent.issue === wanted.issue && agent.role === wanted.role);
    const there = mine.findLast((agent) => agent.state === wanted.state);
    if (there !== undefined) return there;
    if (Date.now() > end) {
      const states =
        mine.map((agent) => `${agent.state} (${agent.reason ?? "no reason"})`).join(", ") || "no agent";
      throw new Error(
        `#${wanted.issue} ${wanted.role} did not become ${wanted.state} in ${wanted.seconds} s: ${states}. If this machine was busy, run it again when it is not.`,
      );
    }
    await pause(POLL_MS);
  }
}

async function pullOf(stage: Stage, issue: number): Promise<number> {
  const agents = await stage.api.agents();
  const pull = agents.findLast((agent) => agent.issue === issue && agent.pr !== null)?.pr;
  if (pull === undefined || pull === null) throw new Error(`no agent of #${issue} has a pull request`);
  return pull;
}
