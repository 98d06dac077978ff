import { labeled, tell } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { after, blocked, edit, on, work } from "./scripts.ts";

/** The agent that an operator acts on, and such an act. */
export const KEY = "acme/shop:feat-dev-issue-1";
export const act = { agent: KEY, id: "a1", by: "operator:root", reason: null };

/** One agent that sleeps, blocked by issue 2. */
export async function asleep(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(2), after("Message from", edit()), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

export async function ended(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}
