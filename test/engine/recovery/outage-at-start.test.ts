import { expect, it } from "vitest";
import { GitError, GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, stateOf, taskOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { on, work } from "../scripts.ts";

const ISSUES = [1, 2, 3, 4];
const nameOf = (issue: number) => `feat-dev-issue-${issue}`;

/** Git serves nobody until the function that is returned was called. */
function gitAway(rig: Rig): () => void {
  const prepare = methodOf(rig.worktrees, "prepare");
  rig.worktrees.prepare = async () => {
    throw new GitError("network", "could not fetch acme/shop: 503", {
      consequence: "retry",
      uncertain: true,
    });
  };
  return () => void (rig.worktrees.prepare = prepare);
}

/** The same for what a first message is made of. */
function gitHubAway(rig: Rig): () => void {
  const issue = methodOf(rig.github, "issue");
  rig.github.issue = async () => {
    throw new GitHubError("unavailable", "GitHub answers 503", 503, { consequence: "retry" });
  };
  return () => void (rig.github.issue = issue);
}

const NEVER = () => Promise.resolve(false);

/** So many minutes, or fewer where it comes to that before. */
async function minutes(rig: Rig, count: number, isSo: () => Promise<boolean> = NEVER): Promise<void> {
  for (let minute = 0; minute < count && !(await isSo()); minute += 1) await rig.pass(MINUTE);
}

it.each([
  ["git", gitAway],
  ["GitHub", gitHubAway],
])(
  "makes four starts while %s is away one incident that holds no slot, and all begin afterwards",
  async (_, away) => {
    const rig = await aRig({
      issues: 4,
      settings: { runtime: { ...someSettings().runtime, maxConcurrentAgents: 4 } },
      script: ISSUES.map((issue) => on(issue, ...work)),
    });
    const back = away(rig);
    for (const issue of ISSUES) await rig.engine.handle(labeled(rig, issue));
    await rig.idle();
    await minutes(rig, 30);
    expect(await rig.store.incidents.list()).toMatchObject([{ state: "open" }]);
    // A probe of the incident may be under way.
    await minutes(rig, 30, async () => (await rig.store.records.slotsInUse()) === 0);
    expect(await rig.store.records.slotsInUse()).toBe(0);
    for (const issue of ISSUES) {
      expect(await agentOf(rig, nameOf(issue))).toMatchObject({
        state: "SLEEPING",
        attempt: 1,
        restarts: 0,
        wakes: 0,
      });
      expect(await taskOf(rig, issue)).toMatchObject({ state: "CLAIMED", failedBy: [] });
    }
    back();
    await minutes(
      rig,
      180,
      async () => (await rig.store.records.find("agent", { state: "COMPLETED" })).length === 4,
    );
    expect(await rig.store.incidents.list()).toMatchObject([{ state: "closed" }]);
    for (const issue of ISSUES) expect(await stateOf(rig, nameOf(issue))).toBe("COMPLETED");
  },
);
