import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, stateOf, toldTo } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, call, edit, escalate, on, type Step, say, slowly, work } from "../scripts.ts";

const read = (path: string): Step => call("view", { path });
const look = read("README.md");
const think = slowly(MINUTE, look);
/** A check of what is not there. */
const fails = call("read_issue", { number: 99 });
const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

/** Calls that came to their end, of all conversations. */
async function callsOf(rig: Rig): Promise<number> {
  const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
  return calls.filter(({ status }) => status === "success").length;
}

/** Until the agent thinks about its third turn since it was told that, and what came before is in the database. */
async function thinking(rig: Rig, told: string): Promise<void> {
  await rig.until(`its third turn after "${told}"`, async () => {
    await rig.engine.tick();
    const messages = rig.runtime.requests.at(-1) ?? [];
    const done = messages.filter(({ role }) => role === "tool").length;
    return done === 2 && toldTo(rig).at(-1)?.includes(told) === true;
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
}

/** The host dies so often while the agent thinks; then it has thought. */
async function dying(rig: Rig, deaths: number, told: string): Promise<void> {
  await thinking(rig, told);
  for (let death = 0; death < deaths; death += 1) {
    await rig.restart();
    rig.clock.advance(GRACEFUL_PAUSE_MS);
    await rig.until("it is asked again", async () => {
      await rig.engine.tick();
      return toldTo(rig).length === death + 2;
    });
    await thinking(rig, "interrupted by a restart");
  }
  rig.clock.advance(MINUTE);
  await rig.idle();
  await rig.pass(GRACEFUL_PAUSE_MS);
}

const circling = () => [
  on(1, look, look, think, ...times(20, look), after("went in circles", edit()), ...work.slice(1)),
];

/** How many calls an agent makes whose host dies so often, until it has gone another way. */
async function callsUntilDone(deaths: number): Promise<number> {
  const rig = await aRig({ script: circling() });
  await rig.engine.handle(labeled(rig, 1));
  await dying(rig, deaths, "Work on issue #1");
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
  return callsOf(rig);
}

it("sees one circle in one that continues over deaths of the host, after as many calls", async () => {
  const calls = await callsUntilDone(0);
  expect(await callsUntilDone(1)).toBe(calls);
  expect(await callsUntilDone(3)).toBe(calls);
});

it("sees one circle over a sleep in which nothing became new, after as many calls", async () => {
  const rig = await aRig({ script: circling() });
  await rig.engine.handle(labeled(rig, 1));
  await thinking(rig, "Work on issue #1");
  rig.runtime.kill((await agentOf(rig)).sessionId ?? "");
  await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
  rig.clock.advance(MINUTE);
  await thinking(rig, "You are awake again");
  rig.clock.advance(MINUTE);
  await rig.idle();
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
  expect(await callsOf(rig)).toBe(await callsUntilDone(0));
});

it("counts the one other way over deaths of the host, and sees the circle that it goes in", async () => {
  const script = [on(1, ...times(20, look), after("went in circles", look), look, think, ...times(20, look))];
  const calls: number[] = [];
  for (const deaths of [0, 2]) {
    const rig = await aRig({ script });
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it begins again", async () => (await agentOf(rig)).sessionCount === 2);
    rig.clock.advance(GRACEFUL_PAUSE_MS);
    await dying(rig, deaths, "went in circles");
    expect(await agentOf(rig)).toMatchObject({
      state: "ESCALATED",
      category: "no_progress",
      sessionCount: 2,
    });
    calls.push(await callsOf(rig));
  }
  expect(new Set(calls).size).toBe(1);
});

it("stops nobody who continues after a death of the host, and looks again at what it knew", async () => {
  const files = ["a", "b", "c"].map(read);
  const again = ["b", "a", "c"].map(read);
  const rig = await aRig({
    script: [on(1, look, edit(), think, ...files, ...again, edit("b.ts"), ...work.slice(1))],
  });
  await rig.engine.handle(labeled(rig, 1));
  await dying(rig, 2, "Work on issue #1");
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("counts a check that fails alike over news that did not fix it", async () => {
  const twice = (name: string) => [fails, read(`${name}1`), fails, read(`${name}2`), fails];
  const woken = twice("b");
  const rig = await aRig({
    script: [
      on(
        1,
        ...twice("a"),
        blocked(2),
        after("which blocked you", woken[0] ?? fails),
        ...woken.slice(1),
        escalate,
        after("went in circles", edit()),
        ...work.slice(1),
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, closed(rig, 2));
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
  expect(toldTo(rig)[0]).toContain('read_issue {"number":99} failed 6 times in the same way');
});

it("lets one that is woken by news look at everything again", async () => {
  const files = ["a", "b", "c", "d", "e"].map(read);
  const again = ["b", "a", "e", "c", "d"].map(read);
  const script = [
    on(
      1,
      ...files,
      blocked(2),
      after("which blocked you", again[0] ?? look),
      ...again.slice(1),
      edit(),
      ...work.slice(1),
    ),
  ];
  const rig = await aRig({ script });
  await tell(rig, labeled(rig, 1));
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("tries as often as before what a person has had a word about", async () => {
  const five = ["a", "b", "c", "d", "e"].flatMap((name) => [fails, read(name)]);
  const script = [on(1, ...five, blocked(2), after("Once more", fails), edit(), ...work.slice(1))];
  const rig = await aRig({ script });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "@flotilla Once more, please."));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("hears a person's word while it is awake, too", async () => {
  const five = ["a", "b", "c", "d", "e"].flatMap((name) => [fails, read(name)]);
  const thinks = slowly(MINUTE, say("Hm."));
  const rig = await aRig({
    script: [on(1, ...five, thinks, after("Once more", fails), edit(), ...work.slice(1))],
  });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 11);
  await rig.engine.handle(said(rig, 1, "@flotilla Once more, please."));
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("begins again, with a word to the log, when what was kept cannot be read", async () => {
  const rig = await aRig({ script: [on(1, look, edit(), blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  rig.store.progress.get = () => Promise.reject(new Error("unreadable"));
  rig.store.progress.put = () => Promise.reject(new Error("full"));
  await tell(rig, closed(rig, 2));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
  const words = rig.logged.map(({ message }) => message);
  expect(words).toContain("agent's progress not read");
  expect(words).toContain("agent's progress not saved");
});
