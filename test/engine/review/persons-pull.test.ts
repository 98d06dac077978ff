import { expect, it, vi } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, statusComments } from "../look.ts";
import { said, tell } from "../people.ts";
import { personsPull, pullHappened, pushedToPull, reviewingPull, saidOnPull } from "../persons-pull.ts";
import { ROLES, ran, reviewersOf, verdict } from "../reviewer-rig.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";

const PULL = 2;
const { review } = someSettings();

async function pullRig(
  steps = [ran(), verdict("approve")],
  { people = "asked", ...options }: RigOptions & { people?: typeof review.people } = {},
  made: Parameters<typeof personsPull>[1] = {},
): Promise<Rig> {
  const settings = { roles: ROLES, review: { ...review, people }, ...options.settings };
  const rig = await aRig({ ...options, issues: 1, settings, script: [reviewingPull(PULL, ...steps)] });
  personsPull(rig, made);
  return rig;
}

const reviewsOn = (rig: Rig) => rig.repository.reviews.get(PULL) ?? [];
const head = (rig: Rig) => rig.repository.pulls.get(PULL)?.headSha;
const headlineOf = (rig: Rig) => statusComments(rig, PULL)[0]?.split("\n")[2];

it("is reviewed when a person with permission asks, as a comment that says it approves nothing", async () => {
  const rig = await pullRig();
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  expect(reviewsOn(rig)).toMatchObject([{ verdict: "commented", commit: head(rig) }]);
  expect(reviewsOn(rig)[0]?.body).toContain("**reviewer found nothing that must change** in [");
  expect(reviewsOn(rig)[0]?.body).toContain("This does not count as an approval: people approve and merge.");
  expect(rig.repository.checks.get(head(rig) ?? "")).toBeUndefined();
  expect((await reviewersOf(rig)).map(({ state, issue, prNumber }) => [state, issue, prNumber])).toEqual([
    ["COMPLETED", PULL, PULL],
  ]);
  expect(await rig.store.records.find("task", {})).toEqual([]);
  expect(headlineOf(rig)).toMatch(
    /^\*\*reviewer found nothing that must change in [0-9a-f]{7}\.\*\* This does not count as an approval/,
  );
});

it("gets what must change as a comment too, at the lines of its diff", async () => {
  const comments = [{ path: "json.ts", line: 1, body: "Print something." }];
  const rig = await pullRig([ran(), verdict("reject", { comments })]);
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  expect(reviewsOn(rig)).toMatchObject([{ verdict: "commented" }]);
  expect(reviewsOn(rig)[0]?.body).toContain("**reviewer asks for changes** in [");
  expect(rig.repository.reviewComments.get(PULL)).toMatchObject([{ path: "json.ts", line: 1 }]);
});

it("is reviewed under the same rules: a verdict without a command that ran is sent back", async () => {
  const rig = await pullRig([verdict("approve"), ran(), verdict("approve")]);
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  expect(reviewsOn(rig)).toHaveLength(1);
  expect((await agentOf(rig, (await reviewersOf(rig))[0]?.name)).toolCalls).toBe(3);
});

it("shows the reviewer what the person who asked wrote, and the text that this approved", async () => {
  const rig = await pullRig([ran(), verdict("approve")], {}, { by: "eve", fork: "eve/shop" });
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review look at the empty report"));
  const [first] = rig.runtime.requests[0] ?? [];
  const told = rig.runtime.requests[0]?.find(({ role }) => role === "user")?.content ?? first?.content;
  expect(told).toContain("look at the empty report");
  expect(told).toContain("It prints rows as JSON.");
});

it.each([
  ["a stranger asks", {}, "eve", "not_permitted"],
  ["its base branch is not one that work goes to", { baseRef: "release-1" }, "alice", "base_refused"],
  ["it is merged", { merged: true, state: "closed" }, "alice", "closed"],
] as const)("is not reviewed when %s", async (_, fields, by, rule) => {
  const rig = await pullRig();
  Object.assign(rig.repository.pulls.get(PULL) ?? {}, fields);
  if ("state" in fields) Object.assign(rig.repository.issues.get(PULL) ?? {}, { state: "closed" });
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review", { by }));
  expect(await reviewersOf(rig)).toEqual([]);
  expect(await decisionsOn(rig, PULL)).toEqual([rule]);
});

it("has one agent at a time", async () => {
  const rig = await pullRig();
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla review"));
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  expect(await reviewersOf(rig)).toHaveLength(1);
  expect(commentsOn(rig, PULL)[0]).toContain("already works on #2");
});

it("answers the same refusal once for a head commit, however often it is asked, and reacts to each", async () => {
  const rig = await pullRig();
  const reactions = vi.spyOn(rig.github, "react");
  const asked = async (times: number) => {
    for (let time = 0; time < times; time += 1)
      await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla start"));
    await rig.idle();
  };
  await asked(10);
  const refusals = () =>
    commentsOn(rig, PULL).filter((body) => body.includes("`/flotilla start` changes nothing"));
  expect(refusals()).toHaveLength(1);
  expect(reactions.mock.calls.map(([, , shown]) => shown)).toEqual(Array(10).fill("confused"));
  await tell(rig, pushedToPull(rig, PULL, { by: "eve" }));
  await asked(2);
  expect(refusals()).toHaveLength(2);
  expect(reactions).toHaveBeenCalledTimes(12);
});

it("says that its review is of an earlier commit once somebody pushes, and is reviewed again on request", async () => {
  const rig = await pullRig();
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  await tell(rig, pushedToPull(rig, PULL, { by: "eve" }));
  expect(headlineOf(rig)).toContain("and newer commits were pushed since.** Say `/flotilla review`");
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  expect(reviewsOn(rig).map(({ commit }) => commit === head(rig))).toEqual([false, true]);
  expect(headlineOf(rig)).not.toContain("pushed since");
});

it("ends a review of the earlier commit that is at work", async () => {
  const rig = await pullRig();
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla review"));
  await tell(rig, pushedToPull(rig, PULL, { by: "eve" }));
  expect((await reviewersOf(rig)).map(({ state }) => state)).toEqual(["CANCELLED"]);
  expect(reviewsOn(rig)).toEqual([]);
});

it("ends its review with it", async () => {
  const rig = await pullRig();
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla review"));
  await tell(rig, pullHappened(rig, PULL, "closed"));
  expect((await reviewersOf(rig)).map(({ state }) => state)).toEqual(["CANCELLED"]);
});

it("is reviewed when it is opened, and after each push, where the settings say so", async () => {
  const rig = await pullRig([ran(), verdict("approve")], { people: "opened" });
  await tell(rig, pullHappened(rig, PULL, "opened"));
  await tell(rig, pushedToPull(rig, PULL));
  expect(reviewsOn(rig).map(({ commit }) => commit === head(rig))).toEqual([false, true]);
});

it("is not reviewed when a stranger opens it, whatever the settings say", async () => {
  const rig = await pullRig(
    [ran(), verdict("approve")],
    { people: "opened" },
    { by: "eve", fork: "eve/shop" },
  );
  await tell(rig, pullHappened(rig, PULL, "opened", { by: "eve" }));
  expect(await reviewersOf(rig)).toEqual([]);
  expect(commentsOn(rig, PULL)).toEqual([]);
});

it("takes commands of its own only", async () => {
  const rig = await pullRig();
  await tell(
    rig,
    saidOnPull(rig, PULL, "/flotilla start feat-dev"),
    saidOnPull(rig, PULL, "/flotilla pause"),
  );
  expect(await decisionsOn(rig, PULL)).toEqual(["other_place", "nobody_concerned"]);
  expect(commentsOn(rig, PULL)[0]).toContain("#2 is a person's pull request");
  expect(commentsOn(rig, PULL)[1]).toContain("say `/flotilla review` to have it reviewed");
});

it("is not asked what blocks it, which GitHub knows of issues alone", async () => {
  const rig = await pullRig();
  rig.onCall = (name) => {
    if (name.includes("blockedBy")) throw new Error("GitHub has no such list of pull requests");
  };
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  expect(reviewsOn(rig)).toHaveLength(1);
});

it("is reviewed once, whatever ends the process meanwhile", async () => {
  const rig = await pullRig(undefined, { lagMs: 11_000 });
  let isOver = false;
  rig.onCrashPoint = (name) => {
    if (name !== "effect:publish_review" || isOver) return;
    isOver = true;
    rig.life.end();
  };
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla review"));
  await rig.until("it is killed", () => isOver);
  await rig.restart();
  await rig.pass(60_000);
  await rig.pass(60_000);
  expect(reviewsOn(rig)).toHaveLength(1);
});

it("is reviewed without a word on GitHub where the level is observe, and why says what it would have been", async () => {
  const rig = await pullRig(undefined, { settings: { level: "observe" } });
  await tell(rig, saidOnPull(rig, PULL, "/flotilla review"));
  expect(reviewsOn(rig)).toEqual([]);
  expect(rig.repository.comments.get(PULL)?.filter(({ author }) => author.type === "Bot")).toEqual([]);
  const withheld = await rig.store.decisions.ofIssue(7, PULL, 100);
  expect(withheld.map(({ reason }) => reason).join()).toContain("it would publish a review");
});

it("of Flotilla's own work takes no such command", async () => {
  const rig = await pullRig();
  await tell(rig, said(rig, 1, "/flotilla review"), said(rig, 1, "/flotilla fix"));
  expect(await decisionsOn(rig)).toEqual(["other_place", "other_place"]);
  expect(commentsOn(rig).join()).toContain("work of agents is reviewed automatically");
});

it("says what to say where a mention reaches nobody", async () => {
  const rig = await pullRig();
  await tell(rig, saidOnPull(rig, PULL, "@flotilla what do you think?"));
  await tell(rig, saidOnPull(rig, PULL, "/flotilla why"));
  expect(commentsOn(rig, PULL)[0]).toContain("no agent works on this pull request");
  expect(commentsOn(rig, PULL)[0]).toContain("say `/flotilla review` or `/flotilla fix`");
});
