import { agentOf } from "./look.ts";
import type { Rig } from "./rig.ts";
import { nameOn } from "./two-at-work.ts";

export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;
/** What the log says when no agent may start, and when one was stopped. */
export const SHUT =
  "the disk is nearly full: no agent starts; free space, or give the data directory a larger disk";
export const STOPPED = "agent stopped: it takes too much disk space";

export const errorsOf = (rig: Rig) =>
  rig.logged.filter(({ level }) => level === "error").map(({ message }) => message);

/** How many bytes the agents on issues 1, 2 … keep. */
export async function uses(rig: Rig, ...bytes: readonly number[]): Promise<void> {
  for (const [index, used] of bytes.entries())
    rig.disk.usedBytes.set((await agentOf(rig, nameOn(index + 1))).id, used);
}
