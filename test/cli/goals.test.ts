import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { goals } from "../../src/cli/commands/goals.ts";
import { agentOf, commentsOn, stateOf } from "../engine/look.ts";
import { labeled, said, tell } from "../engine/people.ts";
import { milestoned } from "../engine/plans.ts";
import { blocked, on } from "../engine/scripts.ts";
import { type Served, served } from "./served-agents.ts";

const MILESTONE = { number: 2, title: "First release", dueOn: null };

/** Issue 1, whose agent sleeps, is in a milestone; with `goal` issue 9 tracks a goal there. */
async function planned(goal = true): Promise<Served> {
  const here = await served({ script: [on(1, blocked(2))], issues: 9 }, goals);
  const { rig } = here;
  await tell(rig, milestoned(rig, 1, MILESTONE));
  milestoned(rig, 9, MILESTONE);
  if (goal) await tell(rig, labeled(rig, 9, { label: "goal" }));
  return here;
}

test("checkpoint, continue and abort do what the commands on the issue do, and say the state after it", async () => {
  const { rig, say } = await planned();
  const reason = "let us look";
  expect(await say(["checkpoint", "acme/shop#9"], { reason })).toEqual({
    code: 0,
    text: "acme/shop#9 is CHECKPOINT.",
  });
  await rig.idle();
  expect(commentsOn(rig, 9).join("\n")).toContain(
    "is at CHECKPOINT: the operator asked for a checkpoint: let us look.",
  );
  expect(await say(["continue", "acme/shop#9"], { json: true })).toEqual({
    code: 0,
    text: '{"key":"acme/shop#9","state":"IN_PROGRESS"}',
  });
  expect((await say(["abort", "acme/shop#9"])).text).toBe("acme/shop#9 is ABORTED.");
  await rig.idle();
  expect(await stateOf(rig)).toBe("CANCELLED");
});

test("a sprint without a goal is steered by any of its issues", async () => {
  const { rig, say } = await planned(false);
  expect((await say(["list"])).text).toMatch(
    /^acme\/shop#1 +IN_PROGRESS +0 of 1 +\$0.00 +sprint First release$/m,
  );
  expect((await say(["checkpoint", "acme/shop#1"])).text).toBe("acme/shop#1 is CHECKPOINT.");
  expect((await say(["abort", "acme/shop#1"])).text).toBe("acme/shop#1 is ABORTED.");
  expect(await agentOf(rig)).toMatchObject({ state: "CANCELLED" });
  expect((await say(["list"])).text).toBe("No goals or sprints that are not over.");
  expect((await say(["list"], { all: true })).text).toContain("ABORTED");
});

test("list and show say where it stands, what is done and what it takes", async () => {
  const { rig, say } = await planned();
  await tell(rig, said(rig, 9, "/flotilla checkpoint"));
  expect((await say(["list"])).text).toMatch(/^acme\/shop#9 +CHECKPOINT +0 of 1 +\$0.00 +/m);
  const { text } = await say(["show", "acme/shop#9"]);
  expect(text).toContain("Sprint First release is CHECKPOINT: @alice asked for a checkpoint.");
  expect(text).toContain(
    "It takes `flotilla goals continue acme/shop#9`, `flotilla goals abort acme/shop#9`.",
  );
  expect(text).toMatch(/^#1 +CLAIMED +feat-dev-issue-1 /m);
  const json = JSON.parse((await say(["show", "acme/shop#1"], { json: true })).text);
  expect(json.goal).toMatchObject({ key: "acme/shop#9", state: "CHECKPOINT", takes: ["continue", "abort"] });
  const listed = JSON.parse((await say(["list"], { json: true })).text);
  expect(listed.goals).toEqual([json.goal]);
});

test.each([
  [["checkpoint", "acme/shop#1"], "works only on a goal's tracking issue", "not_steered"],
  [["continue", "acme/shop#9"], "its sprint is at IN_PROGRESS already", "not_steered"],
  [["continue", "acme/shop#7"], "there is no goal or sprint at acme/shop#7", "not_found"],
  [["continue", "no/where#7"], "there is no goal or sprint at no/where#7", "not_found"],
] as const)("%j is refused with what is meant instead", async (args, why, code) => {
  const { say } = await planned();
  const { code: exit, text } = await say(args);
  expect(exit).toBe(1);
  expect(text).toContain(why);
  const { error } = JSON.parse((await say(args, { json: true })).text);
  expect(error).toMatchObject({ code, hint: expect.stringMatching(/\S/), retryable: false });
});

test("list says that the file CHECKPOINT is there, also where no sprint runs", async () => {
  const { say, dataDir } = await served({ script: [] }, goals);
  const none = "No goals or sprints that are not over.";
  writeFileSync(join(dataDir, "CHECKPOINT"), "");
  expect((await say(["list"])).text).toBe(
    `CHECKPOINT: the file CHECKPOINT in the data directory stops each sprint, also one that begins later; remove the file to let them continue.\n${none}`,
  );
  expect(JSON.parse((await say(["list"], { json: true })).text)).toEqual({ goals: [] });
  rmSync(join(dataDir, "CHECKPOINT"));
  expect((await say(["list"])).text).toBe(none);
});

test("one that is over takes nothing more", async () => {
  const { say } = await planned();
  await say(["abort", "acme/shop#9"]);
  expect(await say(["continue", "acme/shop#9"])).toEqual({
    code: 1,
    text: "it is ABORTED already (not_steered)\n`flotilla goals list` shows those that are not over",
  });
});

test.each([
  [["pause", "acme/shop#9"], "pause"],
  [["continue"], "flotilla goals continue owner/name#N"],
  [["continue", "acme/shop"], "flotilla goals continue owner/name#N"],
  [["show", "9"], "flotilla goals show owner/name#N"],
  [["list", "x"], "flotilla goals list"],
] as const)("%j is answered with how it is said", async (args, text) => {
  const { say } = await planned();
  expect(await say(args)).toMatchObject({ code: 1, text: expect.stringContaining(text) });
});
