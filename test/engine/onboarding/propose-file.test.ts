import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { awaitingPulls } from "../../../src/engine/breakers/attention.ts";
import { close } from "../../fakes/github-world.ts";
import { decisionsOn } from "../look.ts";
import { FILE, proposes } from "../proposing.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";

const pulls = (rig: Rig) => [...rig.repository.pulls.values()];
const rows = (rig: Rig) => rig.store.effects.find({ kind: "propose_file" });
const denied = () =>
  new GitHubError("forbidden", "GitHub answered 403", 403, {
    consequence: "tell",
    advice: "Grant the App the permissions that app.yml lists.",
  });

it("makes one branch with one file and one pull request, and nothing else", async () => {
  const rig = await aRig();
  const pull = await proposes(rig);
  await rig.idle();
  expect(pull).toEqual({ number: 4, url: "https://github.test/acme/shop/pull/4" });
  expect(rig.github.writes).toEqual([
    "addFileOnBranch flotilla/configure",
    "openPullRequest flotilla/configure",
  ]);
  expect([...rig.repository.proposed]).toEqual([
    ["flotilla/configure", { path: FILE.path, content: FILE.content }],
  ]);
  expect(pulls(rig)).toMatchObject([{ title: FILE.title, draft: false, baseRef: "main" }]);
  expect(await decisionsOn(rig, 0)).toEqual(["file_proposed"]);
});

it("is nobody's work: no task, no agent, nothing that awaits people, nothing for the merge queue", async () => {
  const rig = await aRig();
  await proposes(rig);
  await rig.pass(600_000);
  expect(await rig.store.records.find("task", {})).toEqual([]);
  expect(await rig.store.records.find("agent", {})).toEqual([]);
  expect(await awaitingPulls(rig.context.settings, rig.store)).toEqual([]);
  expect((await rig.store.effects.find({})).map(({ kind }) => kind)).toEqual(["propose_file"]);
});

it("opens a draft where the level lets only drafts leave", async () => {
  const rig = await aRig({ settings: { level: "draft" } });
  await proposes(rig);
  expect(pulls(rig)).toMatchObject([{ draft: true }]);
});

it("is withheld whole at a level that lets no pull request leave, and says so", async () => {
  const rig = await aRig({ settings: { level: "comment" } });
  await expect(proposes(rig)).rejects.toMatchObject({
    code: "not_proposed",
    message: expect.stringContaining("the level here is comment"),
  });
  expect(rig.github.writes).toEqual([]);
  const told = await rig.store.decisions.ofIssue(REPOSITORY.id, 0, 5);
  expect(told.map(({ reason }) => reason)).toContainEqual(
    expect.stringContaining("would propose .github/flotilla.yml by a pull request"),
  );
});

const CUTS = [
  "effect:leased",
  "github.addFileOnBranch",
  "github.openPullRequest",
  "effect:propose_file",
] as const;

it.each(CUTS)("a process that ends at %s leaves no second branch and no second pull request", async (cut) => {
  const rig = await aRig({ lagMs: 11_000 });
  const gone = Promise.withResolvers<void>();
  const die = (at: string): void => {
    if (at !== cut || rig.life.over) return;
    rig.life.end();
    gone.resolve();
  };
  rig.onCall = die;
  rig.onCrashPoint = die;
  void proposes(rig).catch(() => {});
  await gone.promise;
  rig.onCall = () => {};
  rig.onCrashPoint = () => {};
  await rig.restart();
  await rig.pass(10_000);
  await rig.pass(600_000);
  expect(rig.repository.proposed.size).toBe(1);
  expect(pulls(rig)).toMatchObject([{ headRef: "flotilla/configure", state: "open" }]);
  expect(await rows(rig)).toMatchObject([{ state: "done", result: { number: 4 } }]);
});

it("opens no second one where people closed it before its end was on record", async () => {
  const rig = await aRig();
  const gone = Promise.withResolvers<void>();
  rig.onCrashPoint = (point) => {
    if (point !== "effect:propose_file") return;
    rig.life.end();
    gone.resolve();
  };
  void proposes(rig).catch(() => {});
  await gone.promise;
  rig.onCrashPoint = () => {};
  close(rig.repository, 4);
  await rig.restart();
  await rig.pass(600_000);
  expect(pulls(rig)).toMatchObject([{ number: 4, state: "closed" }]);
  expect(await rows(rig)).toMatchObject([{ state: "done", result: { number: 4 } }]);
});

it("leaves a branch of that name alone, and says whose turn it is", async () => {
  const rig = await aRig();
  rig.repository.branchesAhead.add("flotilla/configure");
  await expect(proposes(rig)).rejects.toMatchObject({
    code: "not_proposed",
    message: expect.stringContaining("has a branch flotilla/configure already"),
  });
  expect(rig.github.writes).toEqual([]);
  expect(await decisionsOn(rig, 0)).toContain("effect_failed");
});

it("leaves a file alone that people have put there meanwhile", async () => {
  const rig = await aRig();
  rig.repository.files.set(FILE.path, "level: mine\n");
  await expect(proposes(rig)).rejects.toMatchObject({
    message: ".github/flotilla.yml is on the default branch by now",
  });
  expect(rig.github.writes).toEqual([]);
});

it("tells which permission is missing, and continues from there once it is granted", async () => {
  const rig = await aRig();
  rig.github.failNext("openPullRequest", denied(), "before");
  await expect(proposes(rig)).rejects.toMatchObject({
    message: "GitHub answered 403",
    hint: "Grant the App the permissions that app.yml lists.",
  });
  expect(await proposes(rig)).toMatchObject({ number: 4 });
  expect(rig.repository.proposed.size).toBe(1);
  expect(await rows(rig)).toHaveLength(1);
});

it("that is under way is waited for and not begun twice", async () => {
  const rig = await aRig();
  const [one, two] = await Promise.all([proposes(rig), proposes(rig)]);
  expect(one).toEqual(two);
  expect(await rows(rig)).toHaveLength(1);
});

it("answers after a minute where GitHub takes longer, and is done all the same", async () => {
  const rig = await aRig();
  const retryAt = rig.clock.now() + 120_000;
  const limited = new GitHubError("rate_limited", "429", 429, { consequence: "park", retryAt });
  rig.github.failNext("addFileOnBranch", limited, "before");
  const asked = proposes(rig);
  await rig.until("it is parked", async () => (await rows(rig))[0]?.notBefore === retryAt);
  await rig.pass(60_000);
  expect(await asked).toBeNull();
  await rig.pass(60_000);
  expect(pulls(rig)).toHaveLength(1);
});
