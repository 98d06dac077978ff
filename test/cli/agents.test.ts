import { expect, test } from "vitest";
import { stateOf, toldTo } from "../engine/look.ts";
import { after, blocked, edit, on, onAttempt, slowly, work } from "../engine/scripts.ts";
import { MINUTE } from "../factories/moment.ts";
import { KEY, type Served, served as servedWith } from "./served-agents.ts";

/** One agent that sleeps, blocked by issue 2. */
const served = (): Promise<Served> =>
  servedWith({
    script: [
      onAttempt(1, 2, slowly(MINUTE, edit())),
      on(
        1,
        blocked(2),
        after("You are awake again", slowly(MINUTE, edit())),
        after("This happened in the meantime", edit()),
        ...work.slice(1),
      ),
    ],
  });

test("send wakes a sleeper, interrupt stops what it does then", async () => {
  const { rig, say } = await served();
  expect(await say(["send", KEY, "Use", "port 80."])).toEqual({
    code: 0,
    text: `${KEY} hears it when it wakes.`,
  });
  await rig.until("it talks", () => rig.runtime.requests.length === 2);
  expect(toldTo(rig)[1]).toContain("Use port 80.");
  expect(await say(["interrupt", KEY, "Not that."])).toEqual({ code: 0, text: `${KEY} was interrupted.` });
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

test("pause and resume hold it and let it go; there is nothing to interrupt in between", async () => {
  const { rig, say } = await served();
  expect(await say(["pause", KEY], { reason: "too dear" })).toEqual({ code: 0, text: `${KEY} is SLEEPING.` });
  const [agent] = await rig.store.records.find("agent", {});
  expect(agent).toMatchObject({ heldBy: ["person"], reason: "paused by the operator: too dear" });
  expect(await say(["interrupt", KEY])).toMatchObject({
    code: 0,
    text: expect.stringContaining("nothing to interrupt"),
  });
  for (const rounds of ["0", "2.5", "two"])
    expect(await say(["resume", KEY], { rounds })).toMatchObject({
      code: 1,
      text: expect.stringContaining("--rounds takes a whole number from 1 to 9999."),
    });
  expect(await say(["resume", KEY], { rounds: "2" })).toMatchObject({ code: 0 });
  expect(await say(["resume", KEY])).toEqual({
    code: 1,
    text: expect.stringMatching(/takes no resume \(invalid_state\)\n.*agents show/),
  });
});

test("kill ends it and revive begins again", async () => {
  const { say } = await served();
  expect(await say(["kill", KEY])).toEqual({ code: 0, text: `${KEY} is CANCELLED.` });
  const dead = await say(["kill", KEY], { json: true });
  expect(dead.code).toBe(1);
  expect(JSON.parse(dead.text)).toEqual({
    error: {
      code: "dead_agent",
      agent: "feat-dev-issue-1",
      state: "stopped",
      operation: "kill",
      retryable: false,
      message: expect.any(String),
      hint: expect.stringContaining("agents revive"),
    },
  });
  // The first attempt said that #2 blocks the issue, and that is open.
  expect(await say(["revive", KEY], { json: true })).toEqual({
    code: 0,
    text: JSON.stringify({ agent: `${KEY}.2`, state: "CREATED", holds: [] }),
  });
});

test("wait says whether the state was reached, and that by its exit code", async () => {
  const { say } = await served();
  expect(await say(["wait", KEY], { for: "ACTIVE,SLEEPING" })).toEqual({
    code: 0,
    text: `${KEY} is SLEEPING (idle).`,
  });
  const waiting = say(["wait", KEY], { for: "COMPLETED", json: true });
  await say(["kill", KEY]);
  expect(await waiting).toMatchObject({ code: 1, text: expect.stringContaining('"reached":false') });
});

test("wait outlives a restart of the serving process", async () => {
  const { rig, say, end, begin } = await served();
  let asked = 0;
  rig.onCall = (call) => {
    if (call === "store.repositories.byName") asked += 1;
  };
  const waiting = say(["wait", KEY], { for: "CANCELLED", timeout: "1m" });
  await rig.until("it waits", () => asked > 1);
  await end();
  await begin();
  await rig.engine.operations.kill({ agent: KEY, id: "k", by: "operator:root", reason: null });
  expect(await waiting).toMatchObject({ code: 0, text: expect.stringContaining("CANCELLED") });
});

test("without a serving process each verb says so", async () => {
  const { say, end, begin } = await served();
  await end();
  for (const args of [
    ["send", KEY, "Hello"],
    ["kill", KEY],
    ["wait", KEY],
  ])
    await expect(say(args, { for: "COMPLETED" })).rejects.toMatchObject({ code: "not_serving" });
  expect(await say(["wait", KEY], { for: "COMPLETED", json: true })).toMatchObject({
    code: 2,
    text: expect.stringMatching(/"code":"transport_unavailable".*"hint":".*npm start/),
  });
  await begin();
});

test.each([
  [["bury", KEY], {}],
  [["send", KEY], {}],
  [["interrupt"], {}],
  [["kill"], {}],
  [["kill", KEY, "now"], {}],
  [["wait", KEY], {}],
  [["wait", KEY], { for: "COMPLETED", timeout: "soon" }],
])("%j %j is answered with how it is said", async (args, options) => {
  const { rig, say } = await served();
  expect(await say(args, options)).toMatchObject({
    code: 1,
    text: expect.stringContaining("flotilla agents"),
  });
  expect(await stateOf(rig)).toBe("SLEEPING");
});

test("states are understood in any case, and one that does not exist is answered with those that do", async () => {
  const { say } = await served();
  expect(await say(["wait", KEY], { for: "completed, sleeping" })).toMatchObject({ code: 0 });
  expect(await say(["wait", KEY], { for: "COMPLETED,DONE" })).toEqual({
    code: 1,
    text: expect.stringMatching(/^There is no state "DONE"\. There are CREATED, .*, waiting_approval, .*\.$/),
  });
  expect((await say(["wait", KEY], { for: "unspecified" })).code).toBe(1);
});

test("an agent's name without its repository is no key, and it is said what one looks like", async () => {
  const { say } = await served();
  expect(await say(["kill", "feat-dev-issue-1"])).toEqual({
    code: 1,
    text: expect.stringContaining(
      "expected owner/name:agent, as `flotilla agents list` shows it (invalid_argument)",
    ),
  });
});
