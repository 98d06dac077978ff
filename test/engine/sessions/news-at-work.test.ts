import { describe, expect, it } from "vitest";
import type { WakeRow } from "../../../src/domain/kernel/rows.ts";
import { dropBareWakes } from "../../../src/engine/agents/drop-bare-wakes.ts";
import { pauseScope } from "../../../src/engine/breakers/scope-pause.ts";
import { WriteQueue } from "../../../src/engine/outbox/write-queue.ts";
import { PendingWakes } from "../../../src/engine/sessions/pending-wakes.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, answersTo, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import {
  after,
  call,
  commit,
  complete,
  edit,
  on,
  openPr,
  type Step,
  say,
  slowly,
  together,
  work,
} from "../scripts.ts";

const HELLO = "@flotilla please name it shop-lamp";
const times = (texts: readonly string[]) => texts.filter((text) => text.includes("shop-lamp")).length;
const wakesOf = async (rig: Rig): Promise<readonly WakeRow[]> => {
  const { id } = await agentOf(rig);
  return [...(await rig.store.wakes.pending(id)), ...(await rig.store.wakes.delivered(id, 10))];
};
const statesOf = async (rig: Rig) => (await wakesOf(rig)).map(({ reason, state }) => `${reason} ${state}`);

/** Agent 1 thinks for a minute about its first step while a person speaks to it. */
async function spokenTo(...steps: readonly Step[]): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...steps)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(said(rig, 1, HELLO));
  return rig;
}

async function goesOn(rig: Rig): Promise<void> {
  rig.clock.advance(MINUTE);
  await rig.idle();
}

it("tells a message to an agent at work with its next tool's answer, once, with author and link", async () => {
  const rig = await spokenTo(slowly(MINUTE, edit()), ...work);
  await goesOn(rig);
  expect(await stateOf(rig)).toBe("COMPLETED");
  const second = rig.runtime.requests[1]?.map(({ content }) => content).join() ?? "";
  expect(second).toMatch(
    /Message from a person: @alice says \(https:\S+#issuecomment-\d+\):\n\n@flotilla please name/,
  );
  expect(times(answersTo(rig))).toBe(1);
  expect(toldTo(rig)).toHaveLength(1);
  expect(await statesOf(rig)).toEqual(["message delivered"]);
});

it("tells it with one of several answers of the same turn", async () => {
  const rig = await spokenTo(
    slowly(MINUTE, together(edit(), edit("b.ts"), call("check_for_events"))),
    ...work,
  );
  await goesOn(rig);
  expect(times(answersTo(rig))).toBe(1);
  expect(times(toldTo(rig))).toBe(0);
});

it("does not tell it with the answer of a report, which no model call follows, but before the work counts", async () => {
  const script = [on(1, edit(), commit, openPr, slowly(MINUTE, complete), complete)];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is about to report", () => rig.runtime.requests.length === 4);
  await rig.engine.handle(said(rig, 1, HELLO));
  await goesOn(rig);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(times(answersTo(rig))).toBe(0);
  expect(times(toldTo(rig))).toBe(1);
});

it("counts it as delivered once the model has begun to answer, not before", async () => {
  const rig = await spokenTo(slowly(MINUTE, edit()), slowly(MINUTE, edit("b.ts")), ...work);
  rig.clock.advance(MINUTE);
  await rig.until("it is told", () => rig.runtime.requests.length === 2);
  expect(await statesOf(rig)).toEqual(["message pending"]);
  await goesOn(rig);
  expect(await statesOf(rig)).toEqual(["message delivered"]);
});

it("tells it again after a kill while the model had answered nothing", async () => {
  const rig = await spokenTo(slowly(MINUTE, edit()), slowly(MINUTE, edit("b.ts")), ...work);
  rig.clock.advance(MINUTE);
  await rig.until("it is told", () => rig.runtime.requests.length === 2);
  await rig.restart();
  await rig.engine.tick();
  await rig.until("it talks again", () => rig.runtime.requests.length === 3);
  await goesOn(rig);
  expect(times(toldTo(rig))).toBe(1);
  expect(await statesOf(rig)).not.toContain("message pending");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("tells it by the next message when the news could not be read", async () => {
  const rig = await spokenTo(slowly(MINUTE, edit()), say("Hm."), ...work);
  const pending = methodOf(rig.store.wakes, "pending");
  Object.assign(rig.store.wakes, {
    pending: () => {
      Object.assign(rig.store.wakes, { pending });
      return Promise.reject(new Error("the disk is gone"));
    },
  });
  await goesOn(rig);
  expect(rig.logged.map(({ message }) => message)).toContain("news for an agent not read");
  expect(times([...toldTo(rig), ...answersTo(rig)])).toBe(1);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("leaves the wake that ends a pause to the period after it, whatever the one before still does", async () => {
  const rig = await spokenTo(slowly(MINUTE, edit()), after("You are awake again", edit("late.ts")), ...work);
  const agent = await agentOf(rig);
  await pauseScope(rig.context, { scope: "all", holder: "person", by: "alice", reason: null });
  const inbox = new PendingWakes(rig.context, { agent, writes: new WriteQueue(rig.context.log, agent.name) });
  expect(await inbox.news()).toBeNull();
  await dropBareWakes(rig.context, agent);
  await rig.idle();
  expect(await statesOf(rig)).toEqual(["message pending", "resumed pending"]);
  await rig.engine.operations.resumeScope({ scope: "all", by: "alice" });
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});

/** The host is killed when it comes to that crash point for the n-th time after a person has spoken, and begins again. */
async function killedAt(point: string, nth: number): Promise<Rig> {
  const rig = await spokenTo(slowly(MINUTE, edit()), edit("b.ts"), ...work, ...work);
  let seen = 0;
  rig.onCrashPoint = (name) => {
    if (name !== point) return;
    seen += 1;
    if (seen === nth) rig.life.end();
  };
  rig.clock.advance(MINUTE);
  await rig.until("it is killed", () => seen === nth);
  await rig.restart();
  await rig.engine.tick();
  for (let round = 0; round < 5; round += 1) await rig.pass(MINUTE);
  return rig;
}

describe("a kill at any moment after a person has spoken", () => {
  /** How often the whole conversation tells it: again, where it stands in one that no model call has answered. */
  const points: readonly (readonly [point: string, nth: number, told: number])[] = [
    ["turn:news", 1, 1],
    ["turn:message", 1, 2],
    ["turn:told", 1, 1],
    ["turn:answer", 1, 2],
    ["turn:message", 2, 1],
    ["turn:message", 3, 1],
    ["effect:commit", 1, 1],
    ["turn:intent", 1, 1],
    ["turn:ended", 1, 1],
  ];

  it.each(points)("loses nothing and leaves nothing to tell (%s, %i)", async (point, nth, told) => {
    const rig = await killedAt(point, nth);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(times([...toldTo(rig), ...answersTo(rig)])).toBe(told);
    expect(await statesOf(rig)).toEqual(["message delivered", "restart delivered"]);
  });
});
