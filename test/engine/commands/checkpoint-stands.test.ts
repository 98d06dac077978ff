import { expect, it } from "vitest";
import { aRig, type Rig } from "../rig.ts";

/** Lets a second pass, as between two looks. */
async function look(rig: Rig): Promise<void> {
  rig.clock.advance(1000);
  await rig.engine.tick();
}

it("logs once that CHECKPOINT is there and once that it is gone, also where no sprint runs, and after a restart", async () => {
  const logged: string[] = [];
  const info = (_: object, message: string) => void logged.push(message);
  const rig = await aRig({ wrapped: (given) => ({ ...given, log: { ...given.log, info } }) });
  await look(rig);
  rig.operatorFiles.create("CHECKPOINT");
  for (const _ of [1, 2]) await look(rig);
  await rig.restart();
  for (const _ of [1, 2]) await look(rig);
  rig.operatorFiles.remove("CHECKPOINT");
  for (const _ of [1, 2]) await look(rig);
  const there = "the file CHECKPOINT in the data directory stops each sprint";
  expect(logged.filter((line) => line.includes("CHECKPOINT"))).toEqual([
    expect.stringContaining(there),
    expect.stringContaining(there),
    "the file CHECKPOINT is gone from the data directory",
  ]);
});
