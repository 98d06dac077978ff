import { expect, test } from "vitest";
import { decisionsOn } from "../engine/look.ts";
import { blocked, on } from "../engine/scripts.ts";
import { HOUR } from "../factories/moment.ts";
import { KEY, served } from "./served-agents.ts";

const asleep = { script: [on(1, blocked(2))] };

test("set gives an agent a time to live, labels and tags, and takes them off", async () => {
  const { rig, say } = await served(asleep);
  const [agent] = await rig.store.records.find("agent", {});
  const ends = new Date((agent?.createdAt ?? 0) + 8 * HOUR).toISOString();
  expect(await say(["set", KEY, "ttl=8h", "tag=urgent", "label=team=core"])).toEqual({
    code: 0,
    text: `${KEY}: lives until ${ends}; team=core urgent.`,
  });
  expect(await decisionsOn(rig)).toContain("marks_set");
  expect(await say(["set", KEY, "ttl=none", "untag=urgent", "unlabel=team"])).toEqual({
    code: 0,
    text: `${KEY}: no time to live; no labels and tags.`,
  });
  const { text } = await say(["set", KEY, "ttl=9h", "label=team=core"], { json: true });
  expect(JSON.parse(text)).toMatchObject({
    agent: KEY,
    state: "SLEEPING",
    ttl_seconds: 9 * 3600,
    labels: { team: "core" },
    tags: [],
  });
  expect(await rig.store.records.find("agent", {})).toMatchObject([
    { ttlMs: 9 * HOUR, labels: ["team=core"], tags: [] },
  ]);
});

test("set says what it takes, and changes nothing that is over or has ended", async () => {
  const { rig, say } = await served(asleep);
  expect(await say(["set", KEY])).toMatchObject({
    code: 1,
    text: expect.stringContaining("Run `flotilla agents set"),
  });
  expect(await say(["set", KEY, "colour=red"])).toMatchObject({
    code: 1,
    text: expect.stringMatching(/`label=key=value`.*; `colour=red` sets nothing \(invalid_argument\)/),
  });
  rig.clock.advance(2 * HOUR);
  expect(await say(["set", KEY, "ttl=1h"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("the agent is 2 h old, so ttl=1h has already expired"),
  });
  await say(["kill", KEY]);
  expect(await say(["set", KEY, "tag=urgent"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("there is nothing left to set (dead_agent)"),
  });
  expect(await rig.store.records.find("agent", {})).toMatchObject([{ ttlMs: null, labels: [], tags: [] }]);
});
