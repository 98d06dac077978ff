import type { Hold } from "../breakers/hold.ts";
import { steeredOn } from "./plan.ts";
import type { SprintRecord } from "./sprint.ts";

/** Returns the hold of a sprint at CHECKPOINT on the agents of its issues; `on` = its goal's tracking issue. */
export function sprintHold(sprint: Pick<SprintRecord, "title" | "reason">, on: number | null): Hold {
  return {
    by: "sprint",
    what: `its sprint "${sprint.title}" is at CHECKPOINT${sprint.reason === null ? "" : `: ${sprint.reason}`}`,
    ends: `\`/flotilla continue\` on ${on === null ? steeredOn(null) : `#${on} (the goal's tracking issue)`} lets it continue`,
  };
}
