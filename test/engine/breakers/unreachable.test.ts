import { expect, it } from "vitest";
import { GitError, GitHubError, OutsideError, RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, runOf, stateOf, statusComments, taskOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { closed, labeled, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, on, onAttempt, work } from "../scripts.ts";

const away = () =>
  new GitError("network", "could not fetch acme/shop: The requested URL returned error: 503", {
    consequence: "retry",
    uncertain: true,
  });
const oneSlot = () => ({ runtime: { ...someSettings().runtime, maxConcurrentAgents: 1 } });
const nameOf = (issue: number | string) => `feat-dev-issue-${issue}`;

/** Git cannot be reached for these issues until it is back. */
function gitAway(rig: Rig, issues: readonly (number | string)[], error: () => Error = away) {
  const prepare = methodOf(rig.worktrees, "prepare");
  let tries = 0;
  rig.worktrees.prepare = async (...args) => {
    if (!issues.some((issue) => args[0].name === nameOf(issue))) return prepare(...args);
    tries += 1;
    throw error();
  };
  return { tries: () => tries, back: () => void (rig.worktrees.prepare = prepare) };
}

/** Time passes with a round each minute. */
async function minutes(rig: Rig, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) await rig.pass(MINUTE);
}

/** A long time passes, with a round each five minutes: a try waits up to ten. */
async function hours(rig: Rig, count: number): Promise<void> {
  for (let left = count * HOUR; left > 0; left -= 5 * MINUTE) await rig.pass(5 * MINUTE);
}

it("turns a start that git cannot serve into an error at once, which frees the slot and says what is away", async () => {
  const rig = await aRig({ settings: oneSlot(), script: [on(1, ...work), on(2, ...work)] });
  gitAway(rig, [1]);
  await tell(rig, labeled(rig, 1));
  const at = rig.clock.now();
  expect(await agentOf(rig, nameOf(1))).toMatchObject({
    state: "SLEEPING",
    sleepReason: "retry",
    restarts: 0,
    activeMs: 0,
  });
  expect(await runOf(rig, nameOf(1))).toMatchObject({
    state: "error",
    remembered: "initializing",
    error: expect.stringContaining("GitHub's git server cannot be reached: could not fetch acme/shop"),
  });
  expect(statusComments(rig, 1)[0]).toContain(
    "waits to try again, not before 2025-12-21 22:40 UTC: GitHub's git server cannot be reached: could not fetch acme/shop: The requested URL returned error: 503",
  );
  expect(rig.clock.now()).toBe(at);
  await tell(rig, labeled(rig, 2));
  expect(await stateOf(rig, nameOf(2))).toBe("COMPLETED");
});

it("tries again by itself, later each time, for as long as git is away, and counts nothing of it", async () => {
  const rig = await aRig({ settings: oneSlot(), script: [on(1, ...work)] });
  const git = gitAway(rig, [1]);
  await tell(rig, labeled(rig, 1));
  await minutes(rig, 5 * 60);
  expect(git.tries()).toBeGreaterThan(10);
  expect(git.tries()).toBeLessThan(50);
  expect(await agentOf(rig, nameOf(1))).toMatchObject({
    state: "SLEEPING",
    sleepReason: "retry",
    restarts: 0,
    wakes: 0,
    activeMs: 0,
  });
  expect(await taskOf(rig, 1)).toMatchObject({ state: "CLAIMED", failedBy: [] });
  git.back();
  await minutes(rig, 11);
  expect(await stateOf(rig, nameOf(1))).toBe("COMPLETED");
  expect(await taskOf(rig, 1)).toMatchObject({ failedBy: [] });
});

it.each([
  [
    "git is not there",
    new GitError("git_missing", "spawn git ENOENT", { consequence: "stop" }),
    "git cannot be run",
  ],
  [
    "the disk is full",
    new GitError("disk_full", "no space left", { consequence: "stop" }),
    "the disk is full",
  ],
  [
    "GitHub does not answer",
    new GitHubError("unavailable", "No answer to GET /repos", 0, { consequence: "retry" }),
    "GitHub cannot be reached",
  ],
  [
    "GitHub refuses the App",
    new GitHubError("forbidden", "Resource not accessible", 403, { consequence: "tell" }),
    "GitHub refuses the App",
  ],
  [
    "the runtime is not installed",
    new RuntimeError("runtime_missing", "no Copilot runtime", { consequence: "tell" }),
    "the agent runtime cannot be started",
  ],
  [
    "the sandbox does not start",
    new OutsideError("command_not_started", "bwrap did not start", { consequence: "tell" }),
    "a command cannot be started",
  ],
])("waits and fails nobody while %s", async (_, error, what) => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const git = gitAway(rig, [1], () => error);
  await tell(rig, labeled(rig, 1));
  await hours(rig, 2);
  expect(await agentOf(rig, nameOf(1))).toMatchObject({
    state: "SLEEPING",
    sleepReason: "retry",
    restarts: 0,
  });
  expect((await runOf(rig, nameOf(1)))?.error).toContain(`${what}: ${error.message}`);
  expect(commentsOn(rig)).toEqual([]);
  git.back();
  await minutes(rig, 11);
  expect(await stateOf(rig, nameOf(1))).toBe("COMPLETED");
});

it("waits for GitHub's limit asleep, and continues when it is over", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const retryAt = rig.clock.now() + HOUR;
  const git = gitAway(
    rig,
    [1],
    () => new GitHubError("rate_limited", "no request left", 403, { consequence: "park", retryAt }),
  );
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig, nameOf(1))).toMatchObject({
    state: "SLEEPING",
    sleepReason: "provider_limit",
    dueAt: retryAt,
  });
  expect(await runOf(rig, nameOf(1))).toMatchObject({ state: "error" });
  git.back();
  await rig.pass(HOUR);
  expect(await stateOf(rig, nameOf(1))).toBe("COMPLETED");
});

it("makes four wakes that meet the same outage one incident, and all continue afterwards", async () => {
  const issues = [1, 2, 3, 4];
  const rig = await aRig({
    issues: 5,
    script: issues.map((issue) =>
      on(issue, blocked(5), after("which blocked you", edit()), ...work.slice(1)),
    ),
  });
  for (const issue of issues) await tell(rig, labeled(rig, issue));
  const git = gitAway(rig, issues);
  await tell(rig, closed(rig, 5));
  await hours(rig, 3);
  expect(await rig.store.incidents.list()).toMatchObject([{ state: "open" }]);
  // What woke them is closed, and nobody says otherwise.
  for (const issue of issues) expect((await decisionsOn(rig, issue)).join()).not.toContain("open_blocker");
  for (const issue of issues) {
    expect(await agentOf(rig, nameOf(issue))).toMatchObject({ state: "SLEEPING", wakes: 1, restarts: 0 });
    expect(await taskOf(rig, issue)).toMatchObject({ state: "CLAIMED", failedBy: [] });
  }
  git.back();
  await hours(rig, 3);
  expect(await rig.store.incidents.list()).toMatchObject([{ state: "closed" }]);
  for (const issue of issues) expect(await stateOf(rig, nameOf(issue))).toBe("COMPLETED");
});

it("says in the decision what a person can do meanwhile", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  gitAway(rig, [1]);
  await tell(rig, labeled(rig, 1));
  expect(await decisionsOn(rig)).toEqual(["unreachable"]);
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 5);
  expect(decision?.change).toBe("Flotilla retries it automatically; `/flotilla retry` tries at once");
});

it("tells an agent that an outage kept asleep what people wrote since it went to sleep", async () => {
  const rig = await aRig({
    script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  const git = gitAway(rig, [1]);
  rig.clock.advance(MINUTE);
  await rig.engine.handle(said(rig, 1, "The colour should be green."));
  rig.clock.advance(MINUTE);
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig, nameOf(1))).toMatchObject({ state: "SLEEPING", sleepReason: "retry" });
  git.back();
  await minutes(rig, 2);
  expect(JSON.stringify(rig.runtime.requests)).toContain("The colour should be green.");
});

it("counts none of the time in which a pull request waits for GitHub as time at work", async () => {
  const limits = { ...someSettings().limits };
  const short = { ...limits, defaults: { ...limits.defaults, maxActiveDurationMs: 50_000 } };
  const rig = await aRig({ settings: { limits: short }, script: [on(1, ...work)] });
  const openPull = methodOf(rig.github, "openPullRequest");
  rig.github.openPullRequest = async () => {
    throw new GitHubError("unavailable", "503", 503, { consequence: "retry" });
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("its tool waits", async () =>
    (await rig.store.effects.find({ kind: "open_pr", state: "pending" })).some(
      ({ attempts }) => attempts > 0,
    ),
  );
  for (let second = 0; second < 70; second += 10) {
    rig.clock.advance(10_000);
    await rig.engine.tick();
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  }
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "retry" });
  expect((await agentOf(rig)).activeMs).toBeLessThan(50_000);
  rig.github.openPullRequest = openPull;
  await minutes(rig, 15);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("tells an attempt whose start failed why it was begun, and of no interruption", async () => {
  const rig = await aRig({ script: [onAttempt(1, 2, edit()), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  const git = gitAway(rig, ["1.2"]);
  await tell(
    rig,
    reviewed(rig, [...rig.repository.pulls.keys()][0] ?? 0, "changes_requested", { body: "Say why." }),
  );
  expect(await agentOf(rig, "feat-dev-issue-1.2")).toMatchObject({ state: "SLEEPING", sleepReason: "retry" });
  git.back();
  await minutes(rig, 1);
  const told = JSON.stringify(rig.runtime.requests.at(-1));
  expect(told).toContain("Say why.");
  expect(told).not.toContain("interrupted");
});
