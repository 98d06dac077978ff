import { expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { statusComments } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { escalate, on } from "../scripts.ts";

it("makes nothing more in a try whose time is over, so that the next one does it alone", async () => {
  const rig = await aRig({ script: [on(1, escalate)], lagMs: 10_000 });
  const gate = Promise.withResolvers<void>();
  const effects = { ...rig.store.effects };
  let asked = 0;
  rig.store.effects.latest = async (lane, kind, ...states) => {
    if (kind === "status_comment") asked += 1;
    if (kind === "status_comment" && asked === 1) await gate.promise;
    return effects.latest(lane, kind, ...states);
  };
  const told = tell(rig, labeled(rig, 1));
  await rig.until("the first try is held up", () => asked > 0);
  rig.clock.advance(MINUTE);
  await told;
  const tries = async () =>
    (await rig.store.effects.find({ kind: "status_comment" })).map(({ attempts }) => attempts);
  expect(await tries()).toContain(1);
  rig.clock.advance(MINUTE);
  gate.resolve();
  await rig.pass(0);
  await rig.pass(MINUTE);
  expect(statusComments(rig)).toHaveLength(1);
});
