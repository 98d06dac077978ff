import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, decisionsOn, statusComments } from "../look.ts";
import { tell } from "../people.ts";
import { personsPull, pullHappened, pushedToPull, saidOnPull } from "../persons-pull.ts";
import { ROLES } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, complete, edit, openPr, review, type Step, slowly } from "../scripts.ts";

const PULL = 2;
const CODER = "feat-dev-issue-2";
const OWN = "flotilla/feat-dev/issue-2";

async function fixRig(
  steps: readonly Step[] = [edit("mended.ts"), commit, complete],
  made: Parameters<typeof personsPull>[1] = {},
): Promise<Rig> {
  const script = [{ match: `Work on pull request #${PULL} of`, steps: [...steps] }];
  const rig = await aRig({ issues: 1, settings: { roles: ROLES }, script });
  personsPull(rig, made);
  return rig;
}

const headOf = (rig: Rig) => rig.repository.pulls.get(PULL)?.headSha;
const firstTold = (rig: Rig) => rig.runtime.requests[0]?.find(({ role }) => role === "user")?.content ?? "";
const headlineOf = (rig: Rig) => statusComments(rig, PULL)[0]?.split("\n")[2];

it("pushes on top of a branch of the repository, and leaves the person's text and the merge alone", async () => {
  const rig = await fixRig();
  const before = headOf(rig);
  await tell(rig, saidOnPull(rig, PULL, "/flotilla fix the empty report"));
  const agent = await agentOf(rig, CODER);
  expect(agent).toMatchObject({
    state: "COMPLETED",
    branch: "json",
    prNumber: PULL,
    headCommit: headOf(rig),
  });
  expect(headOf(rig)).not.toBe(before);
  expect(rig.worktrees.serverHead("json")).toBe(headOf(rig));
  expect(rig.worktrees.serverHead(OWN)).toBeNull();
  expect(firstTold(rig)).toContain("the empty report");
  expect(firstTold(rig)).toContain("what you commit is pushed there");
  const pull = rig.repository.pulls.get(PULL);
  expect(pull).toMatchObject({ state: "open", body: "It prints rows as JSON." });
  expect(await rig.store.effects.find({ kind: "pull_facts" })).toEqual([]);
  expect(await rig.store.records.find("task", {})).toEqual([]);
  expect(headlineOf(rig)).toContain("**feat-dev is done with what was asked for here.**");
});

it("offers a patch where the pull request comes from a fork, and makes no branch of it", async () => {
  const rig = await fixRig(undefined, { by: "eve", head: "forks", fork: "eve/shop" });
  const before = headOf(rig);
  await tell(rig, saidOnPull(rig, PULL, "/flotilla fix"));
  expect((await agentOf(rig, CODER)).state).toBe("COMPLETED");
  expect(headOf(rig)).toBe(before);
  expect(rig.worktrees.serverHead(OWN)).toBeNull();
  expect(rig.worktrees.serverHead("forks")).toBe(before);
  const [offer] = commentsOn(rig, PULL).filter((body) => body.includes("git apply"));
  expect(offer).toContain(`offers a change of 1 file to this pull request, on top of ${before?.slice(0, 7)}`);
  expect(offer).toMatch(/```diff\n[^]*mended\.ts[^]*\n```/);
  expect(offer).not.toContain("json.ts");
});

it("offers a patch where other work goes to the pull request's branch", async () => {
  const rig = await fixRig(undefined, { head: "main" });
  const before = rig.worktrees.serverHead("main");
  await tell(rig, saidOnPull(rig, PULL, "/flotilla fix"));
  expect(rig.worktrees.serverHead("main")).toBe(before);
  expect(commentsOn(rig, PULL).some((body) => body.includes("git apply"))).toBe(true);
});

it("opens no other pull request, and asks for no review of its own", async () => {
  const rig = await fixRig([edit("mended.ts"), commit, openPr, review, complete]);
  await tell(rig, saidOnPull(rig, PULL, "/flotilla fix"));
  expect((await agentOf(rig, CODER)).state).toBe("COMPLETED");
  expect(rig.repository.pulls.size).toBe(1);
});

it.each([
  ["a stranger asks", {}, "eve", "not_permitted"],
  ["its base branch is not one that work goes to", { baseRef: "release-1" }, "alice", "base_refused"],
] as const)("is refused when %s", async (_, fields, by, rule) => {
  const rig = await fixRig();
  Object.assign(rig.repository.pulls.get(PULL) ?? {}, fields);
  await tell(rig, saidOnPull(rig, PULL, "/flotilla fix", { by }));
  expect(await decisionsOn(rig, PULL)).toEqual([rule]);
  expect(await rig.store.records.find("agent", {})).toEqual([]);
});

it("is one agent at a time, with reviews too", async () => {
  const rig = await fixRig();
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla fix"));
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla review"));
  await tell(rig, saidOnPull(rig, PULL, "/flotilla fix"));
  expect((await rig.store.records.find("agent", {})).map(({ name }) => name)).toEqual([CODER]);
});

it("pauses when a person pushes meanwhile, and goes on on top of that when they say so", async () => {
  const rig = await fixRig([edit("mended.ts"), slowly(MINUTE, commit), commit, complete]);
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla fix"));
  await rig.until("it thinks", () => rig.runtime.requests.length === 2);
  await tell(rig, pushedToPull(rig, PULL));
  expect(await agentOf(rig, CODER)).toMatchObject({ state: "SLEEPING", heldBy: ["commit"] });
  const theirs = headOf(rig);
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla resume"));
  await rig.until("it is awake", async () => (await agentOf(rig, CODER)).state === "ACTIVE");
  await rig.work(5 * MINUTE);
  await rig.idle();
  expect((await agentOf(rig, CODER)).state).toBe("COMPLETED");
  expect(rig.worktrees.serverHead("json")).not.toBe(theirs);
  expect(commentsOn(rig, PULL)[0]).toContain("does not push over these commits");
});

it("pushes nothing once the pull request has ended", async () => {
  const rig = await fixRig([edit("mended.ts"), commit, complete]);
  const before = headOf(rig);
  rig.onCall = (name) => {
    if (name.endsWith("worktrees.commit"))
      Object.assign(rig.repository.pulls.get(PULL) ?? {}, { state: "closed" });
  };
  await tell(rig, saidOnPull(rig, PULL, "/flotilla fix"));
  expect(rig.worktrees.serverHead("json")).toBe(before);
});

it("ends with the pull request", async () => {
  const rig = await fixRig([edit("mended.ts"), slowly(60_000, commit), complete]);
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla fix"));
  await rig.quiet();
  await tell(rig, pullHappened(rig, PULL, "closed"));
  expect((await agentOf(rig, CODER)).state).toBe("CANCELLED");
});

it("is offered once, whatever ends the process meanwhile", async () => {
  const rig = await fixRig(undefined, { by: "eve", head: "forks", fork: "eve/shop" });
  let isOver = false;
  rig.onCrashPoint = (name) => {
    if (name !== "effect:commit" || isOver) return;
    isOver = true;
    rig.life.end();
  };
  await rig.engine.handle(saidOnPull(rig, PULL, "/flotilla fix"));
  await rig.until("it is killed", () => isOver);
  await rig.restart();
  await rig.work(10 * MINUTE);
  await rig.idle();
  expect((await agentOf(rig, CODER)).state).toBe("COMPLETED");
  expect(commentsOn(rig, PULL).filter((body) => body.includes("git apply"))).toHaveLength(1);
  expect(rig.worktrees.serverHead(OWN)).toBeNull();
});
