import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, historyOf, stateOf, statusComments } from "../look.ts";
import { closed, labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, on, slowly, work } from "../scripts.ts";
import type { Given } from "../with-own-settings.ts";

const GIB = 1024 ** 3;
const { sandbox, disk } = someSettings();
const slow = [slowly(MINUTE, edit()), ...work.slice(1)];
const second = "feat-dev-issue-2";

/** What was logged, at the level info. */
const told: string[] = [];

/** A machine with room for one agent. */
function oneFits(...script: Parameters<typeof on>[1][]) {
  return {
    settings: { sandbox: { ...sandbox, memoryBytes: 3 * GIB, hostMemoryBytes: GIB } },
    wrapped: (given: Given) => ({
      ...given,
      memoryBytes: 6 * GIB,
      log: { ...given.log, info: (_: object, message: string) => void told.push(message) },
    }),
    script: [on(1, ...script), on(2, ...work)],
  };
}

async function rounds(rig: Rig, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) await rig.engine.tick();
}

it("an agent whose memory does not fit waits visibly, and starts when the one at work ends", async () => {
  const rig = await aRig(oneFits(...slow));
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 2));
  await rounds(rig, 5);
  expect(await stateOf(rig, second)).toBe("CREATED");
  expect(await decisionsOn(rig, 2)).toEqual(["room"]);
  const [shown] = statusComments(rig, 2);
  expect(shown).toContain("an agent is promised 3 GiB of memory, and this machine has room for one at once");
  expect(shown).toContain("the operator can lower `sandbox.memory_gib`");
  expect(told.filter((message) => message === "no room for another agent: it waits")).toHaveLength(1);
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect([await stateOf(rig), await stateOf(rig, second)]).toEqual(["COMPLETED", "COMPLETED"]);
});

it("an agent whose memory does not fit is not woken, and wakes when it does", async () => {
  const waits = [blocked(2), after("which blocked you", edit()), ...work.slice(1)];
  const rig = await aRig({ ...oneFits(), script: [on(1, ...waits), on(3, ...slow)] });
  await tell(rig, labeled(rig, 1));
  await rig.engine.handle(labeled(rig, 3));
  await rig.until("the other talks", () => rig.runtime.requests.length === 2);
  await rig.engine.handle(closed(rig, 2));
  await rounds(rig, 5);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig, 1)).toEqual(["room"]);
  rig.clock.advance(MINUTE);
  await rig.idle();
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
});

it("agents of another machine take no room of this one", async () => {
  const rig = await aRig(oneFits(...slow));
  await rig.engine.handle(labeled(rig, 1));
  await rounds(rig, 2);
  const agent = await agentOf(rig);
  await rig.store.transaction((tables) =>
    tables.records.save("agent", agent, { ...agent, node: "elsewhere" }),
  );
  await rig.engine.handle(labeled(rig, 2));
  await rounds(rig, 2);
  expect(await stateOf(rig, second)).toBe("ACTIVE");
});

it("an agent waits for the disk that each at work is promised", async () => {
  const rig = await aRig({
    settings: { disk: { ...disk, minFreeBytes: GIB, perAgentBytes: 2 * GIB } },
    script: [on(1, ...work)],
  });
  rig.disk.space = async () => ({ freeBytes: 2 * GIB, freeFiles: null, allFiles: null });
  await rig.engine.watchDisk();
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("CREATED");
  expect(await decisionsOn(rig, 1)).toEqual(["room"]);
  rig.disk.space = async () => ({ freeBytes: 3 * GIB, freeFiles: null, allFiles: null });
  rig.clock.advance(5_000);
  await rig.engine.watchDisk();
  await rig.engine.tick();
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
});
