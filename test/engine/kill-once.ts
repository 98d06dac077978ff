import { MINUTE } from "../factories/moment.ts";
import type { Rig } from "./rig.ts";
import { edit, on, slowly, work } from "./scripts.ts";

/** Works on the first issue, a minute without a word before each answer. */
export const silent = on(1, slowly(MINUTE, edit()), ...work);

/** Lets the agent begin to talk, then kills its process. */
export async function killOnce(rig: Rig): Promise<void> {
  const before = rig.runtime.requests.length;
  await rig.engine.tick();
  await rig.until("it talks", () => rig.runtime.requests.length > before);
  for (const id of rig.runtime.running) rig.runtime.kill(id);
  await rig.idle();
}
