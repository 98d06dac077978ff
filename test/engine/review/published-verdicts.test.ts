import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, taskOf } from "../look.ts";
import { labeled, pushed, reviewed, tell } from "../people.ts";
import { BRANCH, coding, ROLES, ran, reviewing, reviewRig, verdict } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";
import { pullOf } from "../together/work-under-way.ts";

const approving = [coding(1), reviewing(1, ran(), verdict("approve"))];
const { review } = someSettings();

const reviewsOn = (rig: Rig) => rig.repository.reviews.get(pullOf(rig)) ?? [];
const checkOn = (rig: Rig, commit: string | null | undefined) =>
  rig.repository.checks.get(commit ?? "")?.map(({ name, conclusion }) => `${name} ${conclusion}`);

it("are a green check of the commit, and a review that says what the App may not approve itself", async () => {
  const rig = await reviewRig(approving);
  const commit = (await taskOf(rig))?.reviewCommit;
  expect(checkOn(rig, commit)).toEqual(["flotilla/review success"]);
  expect(reviewsOn(rig)).toMatchObject([{ verdict: "commented", commit }]);
  expect(reviewsOn(rig)[0]?.body).toContain(
    `**reviewer approves** [${commit?.slice(0, 7)}](/acme/shop/commit/${commit})`,
  );
  expect(reviewsOn(rig)[0]?.body).toContain("Commands it ran: `npm test`");
});

it("stand at their lines where the diff shows them, and in the text where it does not", async () => {
  const comments = [
    { path: "feature.ts", line: 1, body: "Export nothing." },
    { path: "README.md", line: 1, body: "Say so here." },
    { path: "feature.ts", body: "Too long." },
  ];
  const rig = await reviewRig([coding(1), reviewing(1, ran(), verdict("reject", { comments }))]);
  expect(rig.repository.reviewComments.get(pullOf(rig))).toMatchObject([
    { path: "feature.ts", line: 1, body: "Export nothing." },
  ]);
  const text = reviewsOn(rig)[0]?.body;
  expect(text).toContain("- `README.md:1`: Say so here.\n- `feature.ts`: Too long.");
  expect(text).not.toContain("Export nothing.");
});

it("are published once, whatever becomes of the answer", async () => {
  const rig = await aRig({ settings: { roles: ROLES }, script: approving });
  const lost = new GitHubError("unavailable", "no answer", 0, { consequence: "retry", uncertain: true });
  rig.github.failNext("writeReview", lost, "after");
  await tell(rig, labeled(rig, 1));
  await rig.pass(60_000);
  expect(reviewsOn(rig)).toHaveLength(1);
  expect((await rig.store.effects.find({ kind: "publish_verdict" })).map(({ state }) => state)).toEqual([
    "done",
  ]);
});

it("are void on a commit that is not under review any more", async () => {
  const rig = await reviewRig(approving);
  const commit = (await taskOf(rig))?.reviewCommit;
  await rig.engine.handle(pushed(rig, BRANCH, { "by-hand.ts": "1" }));
  await rig.until("it is void", () => checkOn(rig, commit)?.[0] === "flotilla/review neutral");
  expect(reviewsOn(rig).filter((one) => one.commit === commit)).toHaveLength(1);
});

it("of people count in the check, and wait in it for as many as are wanted", async () => {
  const rig = await reviewRig([coding(1), reviewing(1, ran(), verdict("approve"))], {
    settings: { review: { ...review, reviewers: 2 } },
  });
  const commit = (await taskOf(rig))?.reviewCommit;
  expect(checkOn(rig, commit)).toEqual(["flotilla/review in_progress"]);
  await tell(rig, reviewed(rig, pullOf(rig), "approved"));
  expect(checkOn(rig, commit)).toEqual(["flotilla/review success"]);
  expect((await agentOf(rig)).sleepReason).toBe("review");
});
