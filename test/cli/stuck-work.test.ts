import { describe, expect, test } from "vitest";
import type { Command, CommandContext } from "../../src/cli/command.ts";
import { agents } from "../../src/cli/commands/agents.ts";
import { list, show } from "../../src/cli/commands/agents-read.ts";
import { tasks } from "../../src/cli/commands/tasks.ts";
import { stateOf, taskOf } from "../engine/look.ts";
import { said, tell } from "../engine/people.ts";
import type { RigOptions } from "../engine/rig.ts";
import { commit, complete, edit, onAttempt } from "../engine/scripts.ts";
import { coderMends, failedOnce, needsReplanning, TWO_TASKS } from "../engine/stuck-work.ts";
import { KEY, type Served, servedOver } from "./served-agents.ts";

type Verb = (context: CommandContext) => Promise<number>;
const READ = new Map<string | undefined, Verb>([
  ["list", list],
  ["show", show],
  ["tasks", (context) => tasks.run({ ...context, args: [] })],
]);
/** `flotilla agents`, and `flotilla tasks`, on the database file beside the engine. */
const onFile: Command = {
  ...agents,
  run: (context) => READ.get(context.args[0])?.(context) ?? agents.run(context),
};

const SECOND = `${KEY}.2`;
const fixes = onAttempt(1, 3, edit("list.txt", "mine and theirs\n"), commit, complete);

/** Approved work that does not merge, and whose coder was cancelled meanwhile. */
async function unmerged(): Promise<Served> {
  const here = await servedOver((options) => coderMends([fixes], options), onFile);
  await tell(here.rig, said(here.rig, 1, "/flotilla cancel"));
  return here;
}

const replanned = (): Promise<Served> => servedOver(needsReplanning, onFile);
const failed = (): Promise<Served> =>
  servedOver((options: RigOptions) => failedOnce(undefined, options), onFile);

describe("approved work that does not merge", () => {
  test("is listed with why and what to do, and its coder's new attempt fixes it", async () => {
    const { rig, say } = await unmerged();
    expect((await say(["tasks"], { state: "integration_failed" })).text).toMatch(
      /#1 +INTEGRATION_FAILED +feat-dev-issue-1\.2 +Feature 1 {2}#4 conflicts with `main`.* → no agent is fixing this: `\/flotilla start \[role\]`/,
    );
    expect((await say(["show", SECOND])).text).toMatch(/^state +CANCELLED$/m);
    expect(await say(["revive", SECOND])).toMatchObject({
      code: 0,
      text: expect.stringContaining(`${KEY}.3 is `),
    });
    await rig.idle();
    expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
    expect((await say(["tasks"])).text).toMatch(/READY_FOR_REVIEW.* → review #4 on GitHub/);
  });

  test("says that its coder is at it while that is so", async () => {
    const { say } = await servedOver((options) => coderMends([], options), onFile);
    expect((await say(["tasks"])).text).toMatch(
      /#1 +CLAIMED +feat-dev-issue-1\.2 +Feature 1 +its coder fixes a failed merge/m,
    );
  });
});

describe("work that needs replanning", () => {
  test("is listed with the coder's reason and what a person says", async () => {
    const { say } = await replanned();
    expect((await say(["tasks"], { state: "BLOCKED" })).text).toContain(
      `Feature 1  it needs replanning (${TWO_TASKS})  → say what to do differently, then \`/flotilla start\` or`,
    );
    const { text } = await say(["list"], { state: "ESCALATED" });
    expect(text).toContain(`its task needs replanning: ${TWO_TASKS}`);
    const shown = (await say(["show", KEY])).text;
    expect(shown).toMatch(
      /^next +say in a comment .*`\/flotilla resume`, `\/flotilla retry` or `\/flotilla cancel`$/m,
    );
    expect(shown).toMatch(/^decision .*replanning/m);
  });

  test.each([
    ["resume", KEY, "COMPLETED", "READY_FOR_REVIEW"],
    ["retry", SECOND, "CANCELLED", "READY_FOR_REVIEW"],
    ["kill", KEY, "CANCELLED", "ABANDONED"],
  ])("continues as `agents %s` says", async (verb, answers, agent, task) => {
    const { rig, say } = await replanned();
    expect(await say([verb, KEY])).toMatchObject({
      code: 0,
      text: expect.stringContaining(`${answers} is `),
    });
    await rig.idle();
    expect([await stateOf(rig), (await taskOf(rig))?.state]).toEqual([agent, task]);
  });
});

describe("the second attempt that begins by itself", () => {
  test("is listed with the moment before which it does not start, and why it is made", async () => {
    const { say } = await failed();
    expect((await say(["list"], { state: "CREATED" })).text).toMatch(
      /feat-dev-issue-1\.2 +CREATED +idle +copilot +waits to start, not before 2025-12-21 22:45 UTC/,
    );
    const { text } = await say(["show", SECOND]);
    expect(text).toMatch(/^reason +4 tries in a row failed; the last time the agent's process died/m);
    expect(text).toMatch(/^next +it starts automatically; `\/flotilla cancel` ends it$/m);
    expect((await say(["show", KEY])).text).toMatch(/^state +FAILED$/m);
  });

  test.each([
    ["retry", "COMPLETED"],
    ["pause", "CREATED"],
    ["kill", "CANCELLED"],
  ])("does what `agents %s` says", async (verb, state) => {
    const { rig, say } = await failed();
    expect(await say([verb, SECOND])).toMatchObject({ code: 0 });
    await rig.idle();
    expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe(state);
    await rig.pass(6 * 60_000);
    expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe(state);
  });
});
