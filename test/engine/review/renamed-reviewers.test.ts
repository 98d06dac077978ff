import { expect, it } from "vitest";
import type { Account } from "../../../src/domain/events/account.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { taskOf } from "../look.ts";
import { dismissed, labeled, reviewed, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, commit, edit, on, openPr, review, say } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

/** Of one account the login before it was changed, and after. */
const BEFORE = person("alice");
const AFTER: Account = { ...BEFORE, login: "alice-again" };

/** A coder waits for a review, and two people must approve. */
async function waiting(): Promise<Rig> {
  const script = [
    on(1, edit(), commit, openPr, review, after("Please add a test", say("I do not see why."))),
  ];
  const rig = await aRig({ settings: { review: { ...someSettings().review, reviewers: 2 } }, script });
  rig.repository.permissions.set(AFTER.login, "write");
  await tell(rig, labeled(rig, 1));
  return rig;
}

type Said = Parameters<typeof reviewed>[2];

/** What an account says of the work under the login that it has now, as GitHub's list and the webhook tell it. */
async function says(rig: Rig, actor: Account, verdict: Said): Promise<void> {
  const told = reviewed(rig, pullOf(rig), verdict, { by: actor.login });
  const all = rig.repository.reviews.get(pullOf(rig)) ?? [];
  rig.repository.reviews.set(
    pullOf(rig),
    all.map((one) => (one === all.at(-1) ? { ...one, author: actor } : one)),
  );
  await tell(rig, { ...told, actor });
}

/** GitHub shows the new login with all that the account did before. */
function rename(rig: Rig): void {
  const all = rig.repository.reviews.get(pullOf(rig)) ?? [];
  rig.repository.reviews.set(
    pullOf(rig),
    all.map((one) => (one.author.id === BEFORE.id ? { ...one, author: AFTER } : one)),
  );
}

const dismisses = (rig: Rig, reviewer: Account) =>
  tell(rig, { ...dismissed(rig, pullOf(rig), reviewer.login, { by: "bob" }), reviewer });

/** What stands of what was said: whose account it is of, and whether it approves. */
const requestsOf = async (rig: Rig) => {
  const rows = await rig.store.verdicts.ofTask((await taskOf(rig))?.id ?? 0);
  return rows.flatMap(({ state, account, approves }) => (state === "current" ? [[account, approves]] : []));
};

it("counts an account once that approves, changes its login, and approves again", async () => {
  const rig = await waiting();
  await says(rig, BEFORE, "approved");
  rename(rig);
  await says(rig, AFTER, "approved");
  expect(await taskOf(rig)).toMatchObject({
    state: "READY_FOR_REVIEW",
    verdicts: [{ reviewer: AFTER.login, account: AFTER.id }],
  });
  expect(await requestsOf(rig)).toEqual([[AFTER.id, true]]);
  await says(rig, person("bob"), "approved");
  expect((await taskOf(rig))?.state).toBe("APPROVED");
});

it("counts two accounts twice, also where the second has taken the login of the first", async () => {
  const rig = await waiting();
  await says(rig, BEFORE, "approved");
  rename(rig);
  const taker: Account = { ...person("carol"), login: BEFORE.login };
  await says(rig, taker, "approved");
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  expect(await requestsOf(rig)).toEqual([
    [BEFORE.id, true],
    [taker.id, true],
  ]);
});

it("lifts the approval of an account that has another login by the time it is dismissed", async () => {
  const rig = await waiting();
  await says(rig, BEFORE, "approved");
  rename(rig);
  await dismisses(rig, { ...person("carol"), login: BEFORE.login });
  expect(await requestsOf(rig)).toEqual([[BEFORE.id, true]]);
  await dismisses(rig, AFTER);
  expect(await taskOf(rig)).toMatchObject({ state: "READY_FOR_REVIEW", verdicts: [] });
  expect(await requestsOf(rig)).toEqual([]);
});

it("replaces an account's request for changes by its approval under another login", async () => {
  const rig = await waiting();
  await says(rig, BEFORE, "changes_requested");
  await says(rig, person("bob"), "changes_requested");
  expect(await requestsOf(rig)).toEqual([
    [BEFORE.id, false],
    [person("bob").id, false],
  ]);
  rename(rig);
  await says(rig, AFTER, "approved");
  expect(await requestsOf(rig)).toEqual([[person("bob").id, false]]);
});

it("keeps an account's request for changes as one, and lifts it when it is dismissed under another login", async () => {
  const rig = await waiting();
  await says(rig, BEFORE, "changes_requested");
  rename(rig);
  await says(rig, AFTER, "changes_requested");
  expect(await requestsOf(rig)).toEqual([[AFTER.id, false]]);
  await dismisses(rig, AFTER);
  expect(await requestsOf(rig)).toEqual([]);
});

it("finds nothing new in GitHub's list of reviews when an account has another login", async () => {
  const rig = await waiting();
  await says(rig, BEFORE, "approved");
  rename(rig);
  await rig.pass(5 * MINUTE);
  expect(await takeIn(rig)).toEqual([]);
  expect((await taskOf(rig))?.verdicts).toMatchObject([{ reviewer: BEFORE.login, account: BEFORE.id }]);
});
