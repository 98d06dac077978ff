import { expect, test } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { agents } from "../../src/cli/commands/agents.ts";
import { list } from "../../src/cli/commands/agents-read.ts";
import { said, tell } from "../engine/people.ts";
import { blocked, on } from "../engine/scripts.ts";
import { KEY, served } from "./served-agents.ts";

// Another object, so that its database is a file that the command opens beside the engine.
const onFile: Command = {
  ...agents,
  run: (context) => (context.args[0] === "list" ? list(context) : agents.run(context)),
};

test("agents are listed by attributes, state, role, mode and person, and shown with all their fields", async () => {
  const { rig, say } = await served({ script: [on(1, blocked(2)), on(2, blocked(3))] }, onFile);
  await tell(rig, said(rig, 2, "/flotilla start bug-fix tag=urgent"));
  await say(["set", KEY, "ttl=8h", "tag=urgent", "label=team=core"]);
  const other = "acme/shop:bug-fix-issue-2";
  const keys = async (options: Record<string, string>) => {
    const { text } = await say(["list"], { ...options, json: true });
    return JSON.parse(text).agents.map(({ key }: { key: string }) => key);
  };
  expect(await keys({})).toEqual([KEY, other]);
  expect(await keys({ tag: "urgent" })).toEqual([KEY, other]);
  expect(await keys({ tag: "urgent", label: "team=core" })).toEqual([KEY]);
  expect(await keys({ role: "bug-fix" })).toEqual([other]);
  expect(await keys({ mode: "one_shot" })).toEqual([]);
  expect(await keys({ by: "alice" })).toEqual([KEY, other]);
  expect(await keys({ by: "bob" })).toEqual([]);
  for (const state of ["SLEEPING", "sleeping", "waiting_agent", "Waiting_Agent", "idle"])
    expect([state, await keys({ state })]).toEqual([state, [KEY, other]]);
  for (const state of ["FAILED", "failed", "executing"])
    expect([state, await keys({ state })]).toEqual([state, []]);
  expect((await say(["list"], { tag: "urgent", limit: "1" })).text).toMatch(
    /SLEEPING.*waiting_agent.*ttl=8h team=core urgent/,
  );
  expect(await say(["list"], { tag: "absent" })).toEqual({ code: 0, text: "No such agents." });
  const { text } = await say(["show", KEY]);
  for (const line of [
    /^ttl_seconds +28800$/m,
    /^labels +team=core$/m,
    /^tags +urgent$/m,
    /^mode +continuous$/m,
    /^runtime +copilot$/m,
    /^node +build-7$/m,
  ])
    expect(text).toMatch(line);
});

test.each([
  ["state", "asleep", 'There is no state "asleep". There are CREATED,'],
  ["state", "executin", 'Did you mean "executing"?'],
  ["tag", "two words", "--tag takes tags: a tag is"],
  ["label", "team", "--label takes labels: a label is `key=value`"],
  ["mode", "twice", "--mode takes continuous or one_shot."],
])("%s %j is refused", async (option, value, fault) => {
  const { say } = await served({ script: [on(1, blocked(2))] }, onFile);
  expect(await say(["list"], { [option]: value })).toEqual({ code: 1, text: expect.stringContaining(fault) });
});
