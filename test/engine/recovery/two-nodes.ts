import { aRig, createRig, type Rig, type RigOptions } from "../rig.ts";

export const OTHER = "build-8";

/** Two nodes on one database, GitHub and clock; the first one has begun first. */
export async function twoNodes(
  options: RigOptions = {},
  besides: Omit<RigOptions, "beside"> = {},
): Promise<{ readonly one: Rig; readonly two: Rig }> {
  const one = await aRig({ ...options, alone: false });
  const two = await createRig({ ...besides, beside: { rig: one, node: OTHER } });
  await tick(one);
  await tick(two);
  return { one, two };
}

/** A round of the node. */
export const tick = (rig: Rig): Promise<number> => rig.engine.tick();

/** Seconds pass, with rounds of these nodes every four; the others give no sign. */
export async function seconds(count: number, ...rigs: readonly Rig[]): Promise<void> {
  const [first] = rigs;
  for (let left = count; left > 0; left -= 4) {
    first?.clock.advance(Math.min(left, 4) * 1000);
    for (const rig of rigs) await tick(rig);
  }
}
