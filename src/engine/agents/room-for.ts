import type { GuardContext } from "../../domain/agents/agent-event.ts";
import { DRAINING, isRoomLimited, noRoom } from "../../domain/breakers/room.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Returns whether another agent fits on this machine beside those that it runs. Logs the first refusal of a row. */
export async function roomFor(
  { settings, memoryBytes, room, node, log, nodes }: EngineContext,
  { records }: Pick<Tables, "records">,
): Promise<GuardContext["room"]> {
  if (nodes.isDraining) return DRAINING;
  if (!isRoomLimited(settings)) return true;
  const atWork = await records.slotsInUse(node);
  const none = noRoom({ memoryBytes, freeDiskBytes: room.freeDiskBytes, atWork }, settings);
  if (none !== null && !room.refused)
    log.info({ atWork, reason: none.reason, advice: none.change }, "no room for another agent: it waits");
  room.refused = none !== null;
  return none ?? true;
}
