import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, statusComments, taskOf, toldTo } from "../look.ts";
import { statesOf } from "../merge-queue-rig.ts";
import { labeled, pullClosed, reviewed, said, tell, unlabeled } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, commit, edit, on, onAttempt, openPr, review } from "../scripts.ts";
import { deadlockOfCompleted, rejects } from "../stuck-work.ts";

const { review: reviewing } = someSettings();
const BRANCH = "flotilla/feat-dev/issue-1";

/** Work that was rejected twice in a row, as often as it may be; its coder sleeps for its review. */
async function deadlock(): Promise<Rig> {
  const fixes = after("You are awake again", edit("fixed.ts"));
  const again = Array.from({ length: 8 }, (_, round) => [
    after(`Wrong again .${round}.`, edit(`mended-${round}.ts`)),
    commit,
    review,
  ]);
  const rig = await aRig({
    settings: { review: { ...reviewing, maxCycles: 2, required: true } },
    script: [
      onAttempt(1, 2, edit("afresh.ts"), commit, openPr, review, fixes, commit, review),
      on(1, edit(), commit, openPr, review, ...again.flat()),
    ],
  });
  await tell(rig, labeled(rig, 1));
  await rejects(rig, 2);
  return rig;
}

const labelsOf = (rig: Rig) => rig.repository.issues.get(1)?.labels ?? [];

const rowsOf = async (rig: Rig) => (await rig.store.transitions.ofIssue(REPOSITORY.id, 1, 200)).toReversed();

it.each([
  ["asleep", deadlock],
  ["that had completed", deadlockOfCompleted],
])("asks a person by label, comment and status comment for a coder %s", async (_, begin) => {
  const rig = await begin();
  expect(await taskOf(rig)).toMatchObject({ state: "BLOCKED", blockedReason: "review_deadlock" });
  expect(labelsOf(rig)).toEqual(expect.arrayContaining(["needs-human", "flotilla:blocked"]));
  const told = commentsOn(rig).filter((body) => body.includes("needs a person"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("its work was rejected 2 times in a row. The last reason:");
  expect(told[0]).toContain("Wrong again (1).");
  expect(told[0]).toContain("- `/flotilla resume` lets it continue with 2 more rounds of review");
  expect(told.join()).not.toContain("/flotilla start");
  expect(await decisionsOn(rig)).toContain("review_deadlock");
  expect(statusComments(rig)[0]).toContain("rejected 2 times in a row (review_deadlock)");
  expect(statusComments(rig)[0]).not.toContain("/flotilla start`");
});

it.each([
  ["/flotilla resume", "asleep", deadlock, 2],
  ["/flotilla resume 3", "asleep", deadlock, 3],
  ["/flotilla resume 1", "asleep", deadlock, 1],
  ["/flotilla continue", "asleep", deadlock, 2],
  ["/flotilla continue 1", "asleep", deadlock, 1],
  ["/flotilla answer Print a list.", "asleep", deadlock, 2],
  ["Print a list.", "asleep", deadlock, 2],
  ["/flotilla resume", "that had completed", deadlockOfCompleted, 2],
  ["/flotilla resume 1", "that had completed", deadlockOfCompleted, 1],
])("continues after `%s` to a coder %s", async (words, _, begin, rounds) => {
  const rig = await begin();
  await tell(rig, said(rig, 1, words));
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  expect((await rowsOf(rig)).find(({ event }) => event === "RESCOPE")?.reason).toBe(
    `@alice gives ${rounds} more ${rounds === 1 ? "round" : "rounds"} of review`,
  );
  expect(toldTo(rig).join("\n")).toContain("Wrong again (1).");
  expect((await rig.store.records.find("agent", { issue: 1 })).at(-1)?.branch).toBe(BRANCH);
  const kept = begin === deadlock ? "export {};" : null;
  expect(rig.worktrees.read("feat-dev-issue-1", "feature.ts")).toBe(kept);
  if (rounds > 1) await rejects(rig, rounds - 1);
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  await rejects(rig, 1);
  expect(await statesOf(rig, 1)).toEqual(["BLOCKED"]);
  expect(commentsOn(rig).at(-1)).toContain(`rejected ${2 + rounds} times in a row`);
});

it.each([
  ["asleep", deadlock],
  ["that had completed", deadlockOfCompleted],
])("stays so for a coder %s when one more review comes, or the last one is found again", async (_, begin) => {
  const rig = await begin();
  const agents = await rig.store.records.find("agent", { issue: 1 });
  const pull = agents.at(-1)?.prNumber ?? 0;
  await tell(rig, reviewed(rig, pull, "changes_requested", { body: "And look at the second file." }));
  expect(await statesOf(rig, 1)).toEqual(["BLOCKED"]);
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(agents.length);
  expect(statusComments(rig)[0]).toContain("`/flotilla resume [rounds]` lets its coder continue");
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
});

it("tells a coder that sleeps what one more review said, once a person lets it continue", async () => {
  const rig = await deadlock();
  await tell(rig, reviewed(rig, 4, "changes_requested", { body: "And look at the second file." }));
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(toldTo(rig).join("\n")).toContain("And look at the second file.");
});

it("continues when the label is taken off, and by the operator, who stands in the rows", async () => {
  const rig = await deadlock();
  await tell(rig, unlabeled(rig, 1, "needs-human"));
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  await rejects(rig, 2);
  expect(await statesOf(rig, 1)).toEqual(["BLOCKED"]);
  const act = { agent: "acme/shop:feat-dev-issue-1", id: "1", by: "operator:olga", reason: null };
  await rig.engine.operations.resume(act);
  await rig.idle();
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  const rows = await rowsOf(rig);
  expect(rows.find(({ event }) => event === "RESCOPE")?.reason).toBe(
    "operator:olga gives 2 more rounds of review",
  );
  expect(rows.find(({ event }) => event === "RESUME")).toMatchObject({ actor: "operator:olga" });
});

it.each([
  ["asleep", deadlock, "feat-dev-issue-1"],
  ["that had completed", deadlockOfCompleted, "feat-dev-issue-1.2"],
])("takes a number of rounds and words of the operator for a coder %s", async (_, begin, name) => {
  const rig = await begin();
  const act = { agent: `acme/shop:${name}`, id: "1", by: "operator:olga", reason: "Print a list." };
  await rig.engine.operations.resume({ ...act, rounds: 1 });
  await rig.idle();
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  expect((await rowsOf(rig)).find(({ event }) => event === "RESCOPE")?.reason).toBe(
    "operator:olga gives 1 more round of review",
  );
  expect(toldTo(rig).join("\n").split("The operator says:\n\nPrint a list.")).toHaveLength(2);
  await rejects(rig, 1);
  expect(await statesOf(rig, 1)).toEqual(["BLOCKED"]);
});

it("has nothing for the operator to resume at an earlier attempt, or when nobody waits", async () => {
  const rig = await deadlockOfCompleted();
  const act = { agent: "acme/shop:feat-dev-issue-1", id: "1", by: "operator:olga", reason: null };
  await expect(rig.engine.operations.resume(act)).rejects.toMatchObject({ code: "dead_agent" });
  const last = { ...act, agent: "acme/shop:feat-dev-issue-1.2" };
  expect(await rig.engine.operations.resume(last)).toMatchObject({ name: "feat-dev-issue-1.3" });
  await rig.idle();
  await expect(rig.engine.operations.resume({ ...last, id: "2" })).rejects.toMatchObject({
    code: "dead_agent",
  });
});

it.each([
  ["asleep", deadlock],
  ["that had completed", deadlockOfCompleted],
])("tells a coder %s what a person says with the rounds, once", async (_, begin) => {
  const rig = await begin();
  await tell(rig, said(rig, 1, "/flotilla resume 1\n\nPrint a list."));
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  expect(toldTo(rig).join("\n").split("Print a list.")).toHaveLength(2);
});

it.each([
  ["asleep", deadlock],
  ["that had completed", deadlockOfCompleted],
])("is not ended by `/flotilla complete` after a coder %s, but by a merge", async (_, begin) => {
  const rig = await begin();
  const states = async () => (await rig.store.records.find("agent", { issue: 1 })).map(({ state }) => state);
  const before = await states();
  await tell(rig, said(rig, 1, "/flotilla complete"));
  expect(await statesOf(rig, 1)).toEqual(["BLOCKED"]);
  expect(await states()).toEqual(before);
  expect(commentsOn(rig).at(-1)).toContain("`/flotilla complete` changes nothing");
  expect(commentsOn(rig).at(-1)).toContain("/flotilla resume [rounds]");
  expect(commentsOn(rig).at(-1)).toContain("merge");
  await tell(rig, pullClosed(rig, 4, { merged: true }));
  expect(await statesOf(rig, 1)).toEqual(["MERGED"]);
  expect((await states()).at(-1)).toBe("COMPLETED");
});

it.each([
  ["/flotilla retry", "asleep", deadlock, ".2"],
  ["/flotilla start", "asleep", deadlock, ".2"],
  ["/flotilla retry", "that had completed", deadlockOfCompleted, ".3"],
  ["/flotilla start", "that had completed", deadlockOfCompleted, ".3"],
])("begins again by `%s` after a coder %s, with all its rounds", async (words, _, begin, attempt) => {
  const rig = await begin();
  await tell(rig, said(rig, 1, words));
  expect(await taskOf(rig)).toMatchObject({
    state: "READY_FOR_REVIEW",
    reviewCyclesCurrent: 0,
    reviewCyclesTotal: 2,
    roundsGranted: 0,
  });
  const agent = await agentOf(rig, `feat-dev-issue-1${attempt}`);
  expect(agent.branch).not.toBe(BRANCH);
  const pull = agent.prNumber ?? 0;
  await rejects(rig, 1, pull);
  expect(await statesOf(rig, 1)).toEqual(["READY_FOR_REVIEW"]);
  await rejects(rig, 1, pull);
  expect(await taskOf(rig)).toMatchObject({
    state: "BLOCKED",
    reviewCyclesCurrent: 2,
    reviewCyclesTotal: 4,
  });
});

it.each([
  ["asleep", deadlock],
  ["that had completed", deadlockOfCompleted],
])("ends by `/flotilla cancel` after a coder %s", async (_, begin) => {
  const rig = await begin();
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await statesOf(rig, 1)).toEqual(["ABANDONED"]);
});
