import { expect, it } from "vitest";
import { turn } from "../on-postgres.ts";
import { labeled } from "../people.ts";
import { aRig } from "../rig.ts";
import { on, work } from "../scripts.ts";

it("leaves no round under way once it is idle", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.idle();
  const calls: string[] = [];
  rig.onCall = (call) => calls.push(call);
  for (let round = 0; round < 50; round += 1) await turn();
  expect(calls).toEqual([]);
});
