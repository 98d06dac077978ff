import { expect, it } from "vitest";
import { agentOf, commentsOn, historyOf, stateOf, statusComments } from "../engine/look.ts";
import { closed, labeled, tell } from "../engine/people.ts";
import { aRig, type Rig } from "../engine/rig.ts";
import { after, blocked, edit, on, slowly, work } from "../engine/scripts.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";

const thinks = on(1, slowly(MINUTE, edit()), ...work.slice(1));
const waits = on(1, blocked(2), after("#2, which blocked you", edit()), ...work.slice(1));

async function thinking(rig: Rig): Promise<void> {
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 1);
}

/** Minute after minute, as the host sees it after the jump. */
async function goesOn(rig: Rig, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    rig.clock.advance(MINUTE);
    await rig.engine.tick();
    await rig.idle();
  }
}

it.each([
  ["is set back by an hour", (rig: Rig) => rig.clock.set(-HOUR)],
  ["is set forward by an hour", (rig: Rig) => rig.clock.set(HOUR)],
  ["stood still for ten minutes, beyond every lease", (rig: Rig) => rig.clock.advance(10 * MINUTE)],
])("an agent at work outlives a clock that %s", async (_, jump) => {
  const rig = await aRig({ script: [thinks] });
  await thinking(rig);
  jump(rig);
  await rig.engine.tick();
  await goesOn(rig, 5);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await agentOf(rig)).toMatchObject({ restarts: 0 });
  expect(rig.repository.pulls.size).toBe(1);
  expect([statusComments(rig).length, commentsOn(rig)]).toEqual([1, []]);
});

it.each([-HOUR, HOUR])("a sleeper wakes once after a clock that was set by %i ms", async (jump) => {
  const rig = await aRig({ script: [waits] });
  await tell(rig, labeled(rig, 1));
  rig.clock.set(jump);
  await rig.engine.tick();
  expect(await stateOf(rig)).toBe("SLEEPING");
  await tell(rig, closed(rig, 2));
  await goesOn(rig, 2);
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
});
