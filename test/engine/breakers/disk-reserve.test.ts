import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { errorsOf, GIB, MIB, SHUT, STOPPED, uses } from "../disk-use.ts";
import { agentOf, stateOf } from "../look.ts";
import { nameOn, twoAtWork } from "../two-at-work.ts";

it("gives the reserve to the database after the guilty process is gone, and makes it again once there is room", async () => {
  const rig = await twoAtWork();
  rig.disk.freeBytes = 4 * GIB;
  await rig.engine.watchDisk();
  expect(rig.disk.reserve).toBe(false);
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(rig.disk.reserve).toBe(true);

  await uses(rig, 3 * GIB, GIB);
  rig.disk.freeBytes = 0;
  const running: number[] = [];
  const giveUpReserve = rig.disk.giveUpReserve.bind(rig.disk);
  rig.disk.giveUpReserve = () => {
    running.push(rig.runtime.running.size);
    rig.disk.freeBytes = 32 * MIB;
    return giveUpReserve();
  };
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(running).toEqual([1]);
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ESCALATED", "ACTIVE"]);
  expect(errorsOf(rig)).toEqual([SHUT, "the disk is full: its reserve is given to the database", STOPPED]);

  // What the reserve freed is no reason to stop the next.
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(await stateOf(rig, nameOn(2))).toBe("ACTIVE");
  expect(rig.disk.reserve).toBe(false);
  // That more than half of it is gone, is one.
  rig.disk.freeBytes = 10 * MIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(await stateOf(rig, nameOn(2))).toBe("ESCALATED");
  rig.disk.freeBytes = 9 * GIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(rig.disk.reserve).toBe(true);
});

it("pauses all at work before it gives the reserve away where no agent explains the loss; they continue when there is room", async () => {
  const rig = await twoAtWork();
  await uses(rig, 700 * MIB, 0);
  await rig.engine.watchDisk();
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(rig.disk.reserve).toBe(true);

  await uses(rig, 720 * MIB, 0);
  rig.disk.freeBytes = 0;
  const running: number[] = [];
  const giveUpReserve = rig.disk.giveUpReserve.bind(rig.disk);
  rig.disk.giveUpReserve = () => {
    running.push(rig.runtime.running.size);
    return giveUpReserve();
  };
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(running).toEqual([0]);
  expect(rig.disk.reserve).toBe(false);
  for (const issue of [1, 2])
    expect(await agentOf(rig, nameOn(issue))).toMatchObject({
      state: "SLEEPING",
      sleepReason: "paused",
      reason: expect.stringMatching(/\(0 MiB\), and 100 GiB went while what agents keep grew by 20 MiB$/),
    });
  expect(errorsOf(rig)).toEqual([
    SHUT,
    "the disk is full and no agent explains it: all at work are paused until there is room",
    "the disk is full: its reserve is given to the database",
    "no agent is stopped: look what else fills the disk of the data directory, and free space",
  ]);

  await rig.pass(10 * MINUTE);
  expect(await stateOf(rig, nameOn(1))).toBe("SLEEPING");
  rig.disk.freeBytes = 100 * GIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  await rig.until("both continue", async () => {
    const states = await Promise.all([1, 2].map((issue) => stateOf(rig, nameOn(issue))));
    return states.every((state) => state === "ACTIVE");
  });
});
