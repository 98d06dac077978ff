import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import {
  agentOf,
  answersTo,
  commentsOn,
  decisionsOn,
  runOf,
  sessionsOf,
  stateOf,
  taskOf,
  toldTo,
} from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import {
  after,
  blocked,
  commit,
  complete,
  edit,
  escalate,
  on,
  openPr,
  say,
  together,
  work,
} from "../scripts.ts";

it("lets the first report of an exchange win and refuses the second", async () => {
  const rig = await aRig({ script: [on(1, together(escalate, blocked(2)))] });
  await tell(rig, labeled(rig, 1));
  const intents = await Promise.all(
    (await rig.store.records.find("agent", {})).map(({ id }) => rig.store.intents.recorded(id)),
  );
  expect(intents).toEqual([undefined]);
  const states = [await stateOf(rig)];
  expect(["ESCALATED", "SLEEPING"]).toContain(states[0]);
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  expect(moves.filter(({ event }) => event === "ESCALATE" || event === "BLOCKED")).toHaveLength(1);
});

it.each([
  ["an uncommitted change", [edit(), commit, openPr, edit("more.ts"), complete], "not committed: more.ts"],
  ["no change at all", [complete], "changes nothing"],
  ["no pull request", [edit(), commit, complete], "There is no pull request"],
])("sends a claim back that has %s", async (_, steps, words) => {
  const rig = await aRig({ script: [on(1, ...steps, after("this is missing", escalate))] });
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toContain(words);
  expect(toldTo(rig)[1]).toContain("after 3 more failed claims");
});

it("sends a claim back whose commit is not on the server", async () => {
  const rig = await aRig({ script: [on(1, ...work, after("this is missing", escalate))] });
  rig.onCrashPoint = (name) => {
    if (name === "turn:ended") rig.worktrees.serverMove("flotilla/feat-dev/issue-1", null);
  };
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toContain("not on the server");
});

it("completes when what was missing is put right", async () => {
  const rig = await aRig({
    script: [on(1, complete, after("this is missing", edit()), commit, openPr, complete)],
  });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await runOf(rig))?.bounces).toBe(1);
  expect(await decisionsOn(rig)).toEqual([]);
});

it("asks a person after max_bounces + 1 claims without evidence", async () => {
  const settings = { evidence: { ...someSettings().evidence, maxBounces: 2 } };
  const rig = await aRig({ settings, script: [on(1, complete, complete, complete, say("never said"))] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_bounces" });
  expect(commentsOn(rig).join()).toContain("reported done 3 times, but the work is incomplete: ");
  expect(commentsOn(rig).join()).toContain("there is no pull request");
  expect(commentsOn(rig).join()).not.toMatch(/Use `|report_complete|open_pr/);
  expect(toldTo(rig)).toHaveLength(3);
  expect((await runOf(rig))?.state).toBe("failed");
});

it("gives a person's resume after that its bounces back", async () => {
  const settings = { evidence: { ...someSettings().evidence, maxBounces: 1 } };
  const again = [after("You are awake again", complete), edit(), commit, openPr, complete];
  const rig = await aRig({ settings, script: [on(1, complete, complete, ...again)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("nudges once when an exchange ends without a report, and takes the report then", async () => {
  const rig = await aRig({ script: [on(1, say("I am done, I think."), ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toContain("You stopped without a report");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("asks a person when two exchanges in a row end without a report", async () => {
  const rig = await aRig({ script: [on(1, say("Done."), say("Really."))] });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "ended_without_report" });
  expect(commentsOn(rig).join()).toContain("**feat-dev** needs a person: it stopped without a report.");
  expect(toldTo(rig)).toHaveLength(2);
});

it("counts only exchanges in a row: a failed claim between two silent ones begins again", async () => {
  const script = [on(1, say("Hm."), complete, say("Hm."), ...work)];
  const rig = await aRig({ script });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("keeps a claim that a pause overtook, and evaluates it before it says anything", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  let paused: Promise<void> | undefined;
  const inspect = methodOf(rig.worktrees, "inspect");
  rig.worktrees.inspect = async (...args) => {
    paused ??= rig.engine.handle(said(rig, 1, "/flotilla pause"));
    await paused;
    return inspect(...args);
  };
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)).toHaveLength(1);
});

it("keeps a block that a pause overtook, and sleeps for it after the resume", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  const issue = methodOf(rig.github, "issue");
  let looks = 0;
  rig.github.issue = async (ref, number) => {
    looks += number === 2 ? 1 : 0;
    if (number === 2 && looks === 2) await rig.engine.handle(said(rig, 1, "/flotilla pause"));
    return issue(ref, number);
  };
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "paused" });
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [2] });
  expect(toldTo(rig)).toHaveLength(1);
});

it("completes a role of outputs by its summary, without branch, worktree or task", async () => {
  const { roles } = someSettings();
  const triage = roles.get("triage");
  expect(triage?.lifecycle).toBe("ephemeral");
  const rig = await aRig({ script: [on(1, complete)] });
  await tell(rig, said(rig, 1, "/flotilla start triage"));
  const [agent] = await rig.store.records.find("agent", { role: "triage" });
  expect(agent).toMatchObject({ state: "COMPLETED", branch: null, worktreePath: null });
  expect(await taskOf(rig)).toBeUndefined();
  expect(commentsOn(rig)).toEqual([]);
  expect(answersTo(rig)).toEqual([]);
  expect(await sessionsOf(rig, agent?.name)).toMatchObject([{ state: "stopped" }]);
});
