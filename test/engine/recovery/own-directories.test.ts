import { expect, it } from "vitest";
import { agentOf, stateOf } from "../look.ts";
import { closed, labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, on, work } from "../scripts.ts";

/** The agents whose directories were deleted, in order. */
function dropped(rig: Rig): readonly number[] {
  const ids: number[] = [];
  Object.assign(rig.context.directories, { drop: async (id: number) => void ids.push(id) });
  return ids;
}

it("an agent's own directories go with its end, and not while it sleeps", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  const ids = dropped(rig);
  await tell(rig, labeled(rig, 1));
  expect([await stateOf(rig), ids]).toEqual(["SLEEPING", []]);
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(ids).toEqual([(await agentOf(rig)).id]);
});

it("what cannot be deleted holds nothing up", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  Object.assign(rig.context.directories, { drop: () => Promise.reject(new Error("EBUSY")) });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await rig.store.effects.find({ kind: "close_session", state: ["pending", "failed"] })).toEqual([]);
});
