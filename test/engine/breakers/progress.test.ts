import { expect, it } from "vitest";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { agentOf, commentsOn, historyOf, runOf, sessionsOf, stateOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, call, edit, on, type Step, work } from "../scripts.ts";

const look: Step = call("view", { path: "README.md" });
const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

it("begins once again when a turn is repeated, in a conversation that is told what was", async () => {
  const rig = await aRig({
    script: [on(1, edit(), ...times(9, look), after("went in circles", edit("b.ts")), ...work)],
  });
  await tell(rig, labeled(rig, 1));
  await rig.pass(GRACEFUL_PAUSE_MS);
  const agent = await agentOf(rig);
  expect(agent).toMatchObject({ state: "COMPLETED", sessionCount: 2, token: 1 });
  const [first] = toldTo(rig);
  expect(first).toMatch(/^Work on issue #1 of/);
  expect(first).toContain('view {"path":"README.md"} was repeated 4 times with the same result');
  expect(first).toContain("Changed so far: feature.ts.");
  expect(first).toContain("Next action: ");
  const [old, present] = await sessionsOf(rig);
  expect(old).toMatchObject({ state: "stopped", reason: "handoff" });
  expect(present?.sessionId).toMatch(/-2$/);
  const handoff = (await rig.store.transitions.ofAgent(agent.id)).find(({ event }) => event === "HANDOFF");
  expect(handoff).toMatchObject({
    reason: expect.stringMatching(/^no_progress: /),
    evidence: { kind: "same_call" },
  });
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
});

it("asks a person when it goes in circles again, with what was repeated", async () => {
  const rig = await aRig({ script: [on(1, ...times(40, look))] });
  await tell(rig, labeled(rig, 1));
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await agentOf(rig)).toMatchObject({
    state: "ESCALATED",
    category: "no_progress",
    breaker: null,
    sessionCount: 2,
    reason: expect.stringContaining('view {"path":"README.md"} was repeated'),
  });
  // The turn that was under way when it was seen, and the one after it, are the price.
  expect((await agentOf(rig)).turns).toBeLessThanOrEqual(12);
  expect(commentsOn(rig).join()).toContain("was repeated 4 times");
  expect(["failed", "waiting_input"]).toContain((await runOf(rig))?.state);
});

it("tries another way once more after a person has let it continue", async () => {
  const rig = await aRig({
    script: [on(1, ...times(8, look), after("went in circles", look), ...times(40, look))],
  });
  await tell(rig, labeled(rig, 1));
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await stateOf(rig)).toBe("ESCALATED");
  await tell(rig, said(rig, 1, "/flotilla resume"));
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "no_progress", sessionCount: 3 });
});

it("takes a report over the circle that it ends", async () => {
  const rig = await aRig({
    script: [
      on(
        1,
        edit(),
        call("commit", { message: "x" }),
        call("open_pr", { title: "x", body: "x" }),
        ...times(3, look),
        work[3] ?? look,
      ),
    ],
  });
  await tell(rig, labeled(rig, 1));
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
});

it("counts turns that bring nothing new to turns_without_change", async () => {
  const circle = ["a", "b", "c", "d", "e", "f"].map((path) => call("view", { path }));
  const script = () => [on(1, ...circle, ...circle.toReversed(), edit(), ...work.slice(1))];
  const patient = await aRig({ script: script(), settings: { progress: { turnsWithoutChange: 7 } } });
  await tell(patient, labeled(patient, 1));
  expect(await agentOf(patient)).toMatchObject({ state: "COMPLETED", sessionCount: 1 });
  const strict = await aRig({ script: script(), settings: { progress: { turnsWithoutChange: 6 } } });
  await tell(strict, labeled(strict, 1));
  expect((await agentOf(strict)).sessionCount).toBeGreaterThan(1);
});
