import { expect, it } from "vitest";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf, statusComments, taskOf, toldTo } from "../look.ts";
import { approvedWork, approves, branchOf, checkOf, rounds, statesOf } from "../merge-queue-rig.ts";
import { checked, labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, commit, complete, edit, on, onAttempt, openPr, review } from "../scripts.ts";

const { review: reviewing, evidence, limits } = someSettings();
const AWAKE = "You are awake again";

/** The states of the issue's task, oldest first. */
async function wayOf(rig: Rig, issue = 1): Promise<readonly string[]> {
  const moves = await rig.store.transitions.ofIssue(REPOSITORY.id, issue, 100);
  return moves.flatMap(({ machine, to }) => (machine === "task" ? [to] : []));
}

/** Work that a person has approved while its coder sleeps; people merge. `fixes` = how often it settles a conflict. */
async function sleepingCoder(fixes = 1, settings: Partial<Settings> = {}): Promise<Rig> {
  const again = Array.from({ length: fixes }, (_, round) => [
    after(AWAKE, edit("list.txt", `mine and theirs ${round}\n`)),
    commit,
    review,
  ]);
  const rig = await aRig({
    settings: { review: { ...reviewing, required: true }, ...settings },
    script: [on(1, edit("list.txt", "mine\n"), commit, openPr, review, ...again.flat())],
  });
  await tell(rig, labeled(rig, 1));
  await approves(rig, 1);
  await rounds(rig);
  expect(await statesOf(rig, 1)).toEqual(["APPROVED"]);
  return rig;
}

/** The base moves onto the same lines, and the round comes that looks for it. */
async function baseMoves(rig: Rig, text = "theirs\n"): Promise<string> {
  const base = rig.worktrees.serverCommit("main", { "list.txt": text });
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  return base;
}

it("goes back to its sleeping coder where people merge, which fixes it and asks for a review again", async () => {
  const rig = await sleepingCoder();
  const approved = (await taskOf(rig))?.reviewCommit;
  const base = await baseMoves(rig);
  expect((await wayOf(rig)).slice(-4)).toEqual([
    "APPROVED",
    "INTEGRATION_FAILED",
    "CLAIMED",
    "READY_FOR_REVIEW",
  ]);
  const reason = `#4 conflicts with \`main\` (${base.slice(0, 7)}) in list.txt`;
  const task = await taskOf(rig);
  expect(task).toMatchObject({ integrationReason: reason, integrationFix: true });
  expect(task?.reviewCommit).not.toBe(approved);
  const told = toldTo(rig).find((text) => text.startsWith(AWAKE)) ?? "";
  expect(told).toContain(`Your approved work could not be merged: ${reason}. Fix that, commit, and report`);
  expect(told).toContain("Resolve the conflict markers in list.txt");
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", wakes: 1, prNumber: 4 });
  await approves(rig, 1);
  await rounds(rig);
  expect(await decisionsOn(rig)).toEqual(["merge_asked", "merge_asked"]);
  expect(statusComments(rig)[0]).toContain("a person with write permission merges #4");
});

it("has its finished coder reopened on the same branch and pull request", async () => {
  const rig = await approvedWork({
    work: { 1: { "list.txt": "mine\n" } },
    script: [onAttempt(1, 2, edit("list.txt", "mine and theirs\n"), commit, complete)],
  });
  await baseMoves(rig);
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  expect(await agentOf(rig, "feat-dev-issue-1.2")).toMatchObject({
    state: "COMPLETED",
    branch: branchOf(1),
    prNumber: 4,
  });
  expect(toldTo(rig)[0]).toContain("Your approved work could not be merged: #4 conflicts with `main`");
});

it("goes back when a required check turns red by its own doing, and not when the base is red too", async () => {
  const settings = { evidence: { ...evidence, requiredChecks: ["build"] } };
  const fails = async (...also: readonly string[]) => {
    const rig = await sleepingCoder(1, settings);
    const head = rig.worktrees.serverHead(branchOf(1)) ?? "";
    for (const ref of [head, ...also]) rig.repository.checks.set(ref, [checkOf("build", "red")]);
    await tell(rig, checked(rig, { build: "red" }));
    await rounds(rig);
    return rig;
  };
  const own = await fails();
  expect(await wayOf(own)).toContain("INTEGRATION_FAILED");
  expect((await taskOf(own))?.integrationReason).toContain("build failed");
  expect(toldTo(own).find((text) => text.startsWith(AWAKE))).toContain("build failed");
  expect(await statesOf(await fails("main"), 1)).toEqual(["APPROVED"]);
});

it("asks a person when its coder was woken for it as often as max_iterations allows", async () => {
  const rig = await sleepingCoder(3, {
    limits: { ...limits, defaults: { ...limits.defaults, maxIterations: 1 } },
  });
  await baseMoves(rig);
  await approves(rig, 1);
  await rounds(rig);
  await baseMoves(rig, "theirs again\n");
  expect(await statesOf(rig, 1)).toEqual(["INTEGRATION_FAILED"]);
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_iterations" });
});

it("waits behind older work on the same files, and asks GitHub nothing meanwhile", async () => {
  const rig = await approvedWork({
    work: { 1: { "one.txt": "1\n", "both.txt": "1\n" }, 2: { "both.txt": "2\n", "list.txt": "mine\n" } },
  });
  let asked = 0;
  rig.worktrees.serverCommit("main", { "list.txt": "theirs\n" });
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  expect(await statesOf(rig, 1, 2)).toEqual(["APPROVED", "APPROVED"]);
  expect(await decisionsOn(rig, 2)).toEqual(["merge_asked", "merge_waits"]);
  expect(statusComments(rig, 2)[0]).toContain("merge or close the pull request of #1");
  rig.onCall = (call) => void (asked += call === "github.mergeablePull" ? 1 : 0);
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  expect(asked).toBe(0);
});

it("costs nothing more while nothing is wrong with it", async () => {
  const rig = await approvedWork();
  const before = rig.github.writes.length;
  const asked: string[] = [];
  rig.worktrees.serverCommit("main", { "other.txt": "theirs\n" });
  rig.onCall = (call) => void asked.push(call);
  await rig.pass(5 * MINUTE);
  await rounds(rig);
  expect(asked.filter((call) => call.startsWith("github.merge"))).toEqual([]);
  expect(rig.github.writes.length).toBe(before);
  expect(await stateOf(rig)).toBe("COMPLETED");
});
