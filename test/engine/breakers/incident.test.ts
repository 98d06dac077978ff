import { expect, it } from "vitest";
import { GitHubError, RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, decisionsOn, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { milestoned } from "../plans.ts";
import { aRig, type Rig } from "../rig.ts";
import { call, edit, on, work } from "../scripts.ts";

const agents = [1, 2, 3].map((issue) => `feat-dev-issue-${issue}`);
const scripts = () => [1, 2, 3, 4, 5].map((issue) => on(issue, ...work, edit()));

/** A runtime that opens nothing until it is fixed; the agents of the issues fail at that one after another. */
async function breaking(issues: readonly number[]): Promise<{ rig: Rig; fix: () => void }> {
  const rig = await aRig({ issues: 5, script: scripts() });
  const open = methodOf(rig.runtime, "open");
  let broken = true;
  rig.runtime.open = (spec) =>
    broken
      ? Promise.reject(
          new RuntimeError("tool_name_taken", `no tools for ${spec.sessionId}`, { consequence: "stop" }),
        )
      : open(spec);
  for (const issue of issues) await tell(rig, labeled(rig, issue));
  return { rig, fix: () => void (broken = false) };
}

const round = async (rig: Rig, ms: number) => {
  rig.clock.advance(ms);
  await rig.engine.tick();
  await rig.idle();
};

const incidentIssues = (rig: Rig) =>
  [...rig.repository.issues.values()].filter(({ author }) => author.type === "Bot");

it("does not call two issues an incident", async () => {
  const { rig } = await breaking([1, 2]);
  await round(rig, 1000);
  expect(await rig.store.incidents.list()).toEqual([]);
  expect(incidentIssues(rig)).toEqual([]);
});

it("does not call it one when GitHub's limit makes all of them wait: they continue when it is over", async () => {
  const rig = await aRig({ issues: 3, script: scripts() });
  const pullRequest = methodOf(rig.github, "pullRequest");
  const retryAt = rig.clock.now() + MINUTE;
  rig.github.pullRequest = (...args) =>
    rig.clock.now() < retryAt
      ? Promise.reject(
          new GitHubError("rate_limited", "no request left", 0, { consequence: "park", retryAt }),
        )
      : pullRequest(...args);
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  for (const name of agents)
    expect(await agentOf(rig, name)).toMatchObject({
      state: "SLEEPING",
      sleepReason: "provider_limit",
      dueAt: retryAt,
      restarts: 0,
    });
  expect(await rig.store.incidents.list()).toEqual([]);
  await round(rig, MINUTE);
  for (const name of agents) expect(await stateOf(rig, name)).toBe("COMPLETED");
});

it("does not call it one when agents ask for a person in the same words, whatever they call their trouble", async () => {
  const escalates = call("escalate_to_human", { reason: "The model is away.", category: "provider" });
  const rig = await aRig({ issues: 3, script: [1, 2, 3].map((issue) => on(issue, escalates)) });
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await round(rig, 1000);
  for (const name of agents)
    expect(await agentOf(rig, name)).toMatchObject({ state: "ESCALATED", category: "other" });
  // Nor where an agent that asked so is stopped later by the provider itself.
  for (const name of agents) {
    const agent = await agentOf(rig, name);
    await rig.store.records.save("agent", agent, { ...agent, category: "provider" });
  }
  await round(rig, 1000);
  expect(await rig.store.incidents.list()).toEqual([]);
  expect(await rig.store.scopePauses.list()).toEqual([]);
});

it("pauses the repository at the third issue that fails alike, and opens one issue", async () => {
  const { rig } = await breaking([1, 2, 3]);
  await round(rig, 1000);
  await round(rig, 1000);
  expect(await rig.store.scopePauses.list()).toMatchObject([{ scope: "repository:7", holder: "incident" }]);
  expect(incidentIssues(rig).map(({ title }) => title)).toEqual(["Flotilla: the same failure in 3 issues"]);
  expect(incidentIssues(rig)[0]?.body).toContain("acme/shop#1, acme/shop#2, acme/shop#3");
  await tell(rig, labeled(rig, 4));
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("CREATED");
  expect(await decisionsOn(rig, 4)).toContain("held");
  expect(await rig.store.incidents.list()).toMatchObject([{ state: "open", issue: 6 }]);
});

it("lets one agent go after a pause, and only one; while it fails alike the others wait", async () => {
  const { rig } = await breaking([1, 2, 3]);
  await round(rig, 1000);
  await tell(rig, labeled(rig, 4));
  await tell(rig, labeled(rig, 5));
  await round(rig, 4 * MINUTE);
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("CREATED");
  await round(rig, MINUTE);
  await round(rig, 1000);
  expect((await agentOf(rig, "feat-dev-issue-4")).token).toBe(1);
  expect(await agentOf(rig, "feat-dev-issue-5")).toMatchObject({ state: "CREATED", token: 0 });
  expect(await rig.store.incidents.list()).toMatchObject([
    { state: "open", failedProbes: 1, probeAgentId: null, probeAt: rig.clock.now() + 10 * MINUTE },
  ]);
});

it("lets all continue once the probe got through, and says so on the incident's issue", async () => {
  const { rig, fix } = await breaking([1, 2, 3]);
  await round(rig, 1000);
  await tell(rig, labeled(rig, 4));
  await tell(rig, labeled(rig, 5));
  fix();
  await round(rig, 5 * MINUTE);
  await round(rig, 1000);
  await round(rig, 1000);
  expect(await rig.store.incidents.list()).toMatchObject([{ state: "closed" }]);
  expect(await rig.store.scopePauses.list()).toEqual([]);
  expect(await stateOf(rig, "feat-dev-issue-4")).toBe("COMPLETED");
  expect(await stateOf(rig, "feat-dev-issue-5")).toBe("COMPLETED");
  const [issue] = incidentIssues(rig);
  const comments = rig.repository.comments.get(issue?.number ?? 0) ?? [];
  expect(comments.map(({ body }) => body).join()).toContain("the pause has ended");
  // What led to it does not lead to another.
  await round(rig, 1000);
  expect(await rig.store.incidents.list()).toHaveLength(1);
});

it("does not count failures that are further apart than the setting", async () => {
  const { rig } = await breaking([1, 2]);
  await round(rig, HOUR);
  await tell(rig, labeled(rig, 3));
  await round(rig, 1000);
  expect(await rig.store.incidents.list()).toEqual([]);
  for (const name of agents) expect(["FAILED", "SLEEPING"]).toContain(await stateOf(rig, name));
});

it.each([
  ["before the scope is paused", "store.scopePauses.add", ""],
  ["after its issue was opened and before that is known", "", "effect:open_incident"],
])("keeps the pause and the one issue through a crash %s", async (_, dying, point) => {
  const { rig } = await breaking([1, 2, 3]);
  const dies = (name: string) => {
    if (name === dying || name === point) rig.life.end();
  };
  rig.onCall = dies;
  rig.onCrashPoint = dies;
  rig.clock.advance(1000);
  void rig.engine.tick();
  await rig.until("the process dies", () => rig.life.over);
  rig.onCall = () => {};
  rig.onCrashPoint = () => {};
  await rig.restart();
  await round(rig, 1000);
  await round(rig, HOUR);
  expect(await rig.store.scopePauses.list()).toHaveLength(1);
  expect(incidentIssues(rig)).toHaveLength(1);
  expect(await rig.store.incidents.list()).toMatchObject([{ issue: 6 }]);
});

it("stops the sprints of its repository when it opens, until a person lets them continue", async () => {
  const { rig, fix } = await breaking([]);
  milestoned(rig, 5, { number: 2, title: "First", dueOn: null });
  for (const issue of [1, 2, 3, 5]) await tell(rig, labeled(rig, issue));
  const sprint = async () => (await rig.store.records.find("sprint", { milestone: 2 }))[0];
  await round(rig, 1000);
  expect(await sprint()).toMatchObject({
    state: "CHECKPOINT",
    reason: expect.stringMatching(/^an incident in its repository: the same failure in several issues/),
  });
  fix();
  await tell(rig, said(rig, 5, "/flotilla continue"));
  await round(rig, MINUTE);
  expect((await sprint())?.state).toBe("IN_PROGRESS");
});
