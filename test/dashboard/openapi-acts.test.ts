import { expect, test } from "vitest";
import { ROUTES } from "../../src/dashboard/api/routes.ts";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { questionOf, asked as willAnswer } from "../engine/asking.ts";
import { limitsOf } from "../engine/limits-of.ts";
import { agentOf } from "../engine/look.ts";
import { approvedWork } from "../engine/merge-queue-rig.ts";
import { labeled, said, tell } from "../engine/people.ts";
import { milestoned } from "../engine/plans.ts";
import { aRig, REPOSITORY, type Rig } from "../engine/rig.ts";
import { after, blocked, call, edit, escalate, on, work } from "../engine/scripts.ts";
import { CLAIM, OURS } from "../factories/leases.ts";
import { someSettings } from "../factories/some-settings.ts";
import { compileAnswers, WALKED } from "./described.ts";
import { pageOver } from "./page-over.ts";

const SHOP = "repositories/acme%2Fshop";
const KEY = "acme/shop:feat-dev-issue-1";
const GUID = "11111111-2222-3333-4444-555555555555";

compileAnswers();

async function labeledRig(options: Parameters<typeof aRig>[0]): Promise<Rig> {
  const rig = await aRig(options);
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** Presses what an agent takes that sleeps, in an order in which each is taken. */
async function ofSleeping() {
  const { send: act, press } = await pageOver(await labeledRig({ script: [on(1, blocked(2))] }));
  await press(KEY, "pause");
  await press(KEY, "resume");
  await press(KEY, "set", { set: ["ttl=8h", "label=team=shop", "tag=urgent"] });
  await act("pause", { scope: "acme/shop" });
  await act("resume", { scope: "acme/shop" });
  await press(KEY, "cancel");
  await press(KEY, "revive");
}

async function escalated() {
  const { press } = await pageOver(await labeledRig({ script: [on(1, escalate)] }));
  await press(KEY, "retry");
}

/** Lets an agent go on that has used its turns, and takes its work as it is. */
async function atLimit() {
  const script = [on(1, ...Array.from({ length: 9 }, (_, index) => edit(`${index}.ts`)), ...work)];
  const { press } = await pageOver(await labeledRig({ settings: limitsOf({ maxTurns: 3 }), script }));
  await press(KEY, "continue");
  await press(KEY, "complete");
}

async function asked() {
  const ask = { runtime: { ...someSettings().runtime, permissionMode: "ask" as const } };
  const curl = call("bash", { command: "curl https://example.com/" });
  const wget = call("bash", { command: "wget https://example.com/" });
  const rig = await labeledRig({
    settings: ask,
    script: [on(1, curl, after("You are awake again", wget), ...work)],
  });
  const { decide } = await pageOver(rig);
  const open = async () => {
    const { id, token } = await agentOf(rig);
    return (await rig.store.approvals.asked(id, token))[0]?.id ?? 0;
  };
  await decide(await open(), "approve");
  await decide(await open(), "deny");
}

async function takenBack() {
  const settings = { runtime: { ...someSettings().runtime, permissionMode: "ask" as const } };
  const rig = await labeledRig({
    settings,
    script: [on(1, call("bash", { command: "curl https://example.com/" }), ...work)],
  });
  const { id, token } = await agentOf(rig);
  const [row] = await rig.store.approvals.asked(id, token);
  const { send, press } = await pageOver(rig);
  await press(KEY, "pause");
  await send(`approvals/${row?.id}/approve`);
  await send(`approvals/${row?.id}/undo`);
}

async function spokenWith() {
  const rig = await willAnswer();
  const { send, press } = await pageOver(rig);
  await send(`questions/${(await questionOf(rig)).id}/answer`, { text: "MIT" });
  const sleeping = await pageOver(await labeledRig({ script: [on(1, blocked(2))] }));
  await sleeping.press(KEY, "send", { text: "Do not wait." });
  await press(KEY, "send", { text: "It has ended." });
}

async function startedAndMerged() {
  const rig = await aRig({ script: [on(2, ...work)] });
  await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  await (await pageOver(rig)).send(`${SHOP}/start`, { issue: 2, role: "feat-dev" });
  const approved = await pageOver(await approvedWork({ settings: { level: "merge" } }));
  await approved.send(`${SHOP}/merge`, { issue: 1 });
}

async function planned() {
  const rig = await aRig({ script: [on(1, blocked(2))], issues: 9 });
  const milestone = { number: 2, title: "First release", dueOn: null };
  await tell(rig, labeled(rig, 1));
  await tell(rig, milestoned(rig, 1, milestone));
  milestoned(rig, 9, milestone);
  await tell(rig, labeled(rig, 9, { label: "goal" }));
  const { send: act } = await pageOver(rig);
  for (const verb of ["checkpoint", "continue", "abort"]) await act(`goals/acme%2Fshop%239/${verb}`);
}

async function failed() {
  const rig = await aRig({});
  const { store } = rig;
  const stop = { consequence: "stop", advice: "Give the App the permission to write issues." } as const;
  rig.github.failNext("putComment", new GitHubError("forbidden", "no permission", 403, stop), "before");
  await tell(rig, said(rig, 1, "/flotilla why"));
  const [effect] = await store.effects.find({ state: "failed" });
  const row = {
    event: "issues",
    action: "opened",
    installationId: 1,
    repositoryId: 7,
    lane: "7#1",
    payload: "{}",
  };
  await store.deliveries.insert([{ ...row, guid: GUID, receivedAt: 1000 }]);
  await store.deliveries.claim({ ...CLAIM, now: 2000, limit: 1 });
  await store.deliveries.settle(GUID, OURS.token, "dead", "boom", 3000);
  const { send: act } = await pageOver(rig);
  await act(`effects/${effect?.id}/replay`);
  await act(`deliveries/${GUID}/replay`);
}

async function scheduled() {
  const schedule = { repository: "acme/shop", cron: "0 6 * * *", timeZone: "UTC", jitter: undefined };
  const daily = { ...schedule, role: "feat-dev", title: "Update", body: "Do it." };
  const rig = await aRig({ settings: { schedules: { daily } } });
  await rig.store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  await (await pageOver(rig)).send(`${SHOP}/run-schedule`, { schedule: "daily" });
}

test("the engine's answer to each act is as the document says", async () => {
  for (const story of [
    ofSleeping,
    escalated,
    atLimit,
    asked,
    takenBack,
    spokenWith,
    startedAndMerged,
    planned,
    failed,
    scheduled,
  ])
    await story();
  const acts = ROUTES.filter(({ group }) => group === "acts").map(({ path }) => `post ${path}`);
  expect(acts.filter((path) => !WALKED.has(path))).toEqual([]);
});
