import { expect, it } from "vitest";
import { GitError, GitHubError } from "../../src/domain/kernel/errors.ts";
import { agentOf, commentsOn, statusComments } from "../engine/look.ts";
import { methodOf } from "../engine/method-of.ts";
import { labeled } from "../engine/people.ts";
import { aRig, type Rig } from "../engine/rig.ts";
import { commit, complete, edit, on, openPr, slowly } from "../engine/scripts.ts";
import { MINUTE } from "../factories/moment.ts";

/** GitHub answers 502 to everything, and its git nobody, while `down` says so. */
function ailing(rig: Rig, down: () => boolean): void {
  const push = methodOf(rig.worktrees, "push");
  rig.worktrees.push = async (ref) => {
    if (down())
      throw new GitError("network", "Connection refused", { consequence: "retry", uncertain: true });
    return push(ref);
  };
  for (const [name, value] of Object.entries(rig.github)) {
    if (typeof value !== "function") continue;
    const answered: (...args: unknown[]) => unknown = value;
    Reflect.set(rig.github, name, async (...args: unknown[]) => {
      if (!down()) return answered(...args);
      throw new GitHubError("unavailable", "GitHub answered 502", 502, { consequence: "retry" });
    });
  }
}

const works = (issue: number) =>
  on(issue, slowly(30 * 1000, edit(`feature-${issue}.ts`)), commit, openPr, complete);

async function live(rig: Rig, ms: number, step: number): Promise<void> {
  for (let left = ms; left > 0; left -= step) {
    rig.clock.advance(step);
    await rig.engine.tick();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
  }
}

/** What GitHub and the database hold of these issues in the end. */
async function endOf(rig: Rig, issues: readonly number[]) {
  const agents = await Promise.all(issues.map((issue) => agentOf(rig, `feat-dev-issue-${issue}`)));
  const texts = issues.flatMap((issue) => commentsOn(rig, issue));
  return {
    agents: agents.map(({ state, restarts }) => `${state} after ${restarts} restarts`),
    statusComments: issues.map((issue) => statusComments(rig, issue).length),
    doubled: texts.length - new Set(texts).size,
    pulls: [...rig.repository.pulls.values()].map(({ headRef }) => headRef).toSorted(),
  };
}

const BOTH_DONE = {
  agents: ["COMPLETED after 0 restarts", "COMPLETED after 0 restarts"],
  statusComments: [1, 1],
  doubled: 0,
  pulls: ["flotilla/feat-dev/issue-1", "flotilla/feat-dev/issue-2"],
};

it("takes what comes while GitHub is down for two hours, and does everything once when it is back", async () => {
  const rig = await aRig({ script: [1, 2].map(works) });
  let down = false;
  ailing(rig, () => down);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
  down = true;
  await rig.engine.handle(labeled(rig, 2));
  await live(rig, 120 * MINUTE, 2 * MINUTE);
  down = false;
  await live(rig, 30 * MINUTE, MINUTE);
  expect(await endOf(rig, [1, 2])).toEqual(BOTH_DONE);
});

it("comes to the end while GitHub fails for ten seconds of every twenty", async () => {
  const rig = await aRig({ script: [1, 2].map(works) });
  ailing(rig, () => Math.floor(rig.clock.now() / 10_000) % 2 === 1);
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await live(rig, 20 * MINUTE, 7 * 1000);
  expect(await endOf(rig, [1, 2])).toEqual(BOTH_DONE);
});
