import type { RunEventRow, ToolCallRow } from "../../src/domain/kernel/rows.ts";
import type { RunEvent, RunEventType } from "../../src/domain/kernel/run-event.ts";
import { agentOf } from "./look.ts";
import type { Rig } from "./rig.ts";

export const eventsOf = (rig: Rig): Promise<readonly RunEventRow[]> =>
  rig.store.runEvents.after(0, { limit: 10_000, agentId: null });

/** What was told of each event of that type, in order. */
export async function dataOf(rig: Rig, type: RunEventType): Promise<readonly RunEvent["data"][]> {
  const events = (await eventsOf(rig)).map(({ event }) => event);
  return events.filter((event) => event.type === type).map(({ data }) => data);
}

export const callsOf = async (rig: Rig): Promise<readonly ToolCallRow[]> =>
  rig.store.toolCalls.ofAgent((await agentOf(rig)).id);

/** Everything but pieces of speech, without what only repeats the transitions. */
export async function story(rig: Rig): Promise<readonly string[]> {
  const events = (await eventsOf(rig)).map(({ event }) => event);
  return events.flatMap((event) => {
    if (event.type === "tool:start" || event.type === "tool:running")
      return [`${event.type} ${event.data.tool}`];
    if (event.type === "tool:result") return [`${event.type} ${event.data.tool} ${event.data.status}`];
    if (event.type === "state:update") return event.data.machine === "run" ? [`run ${event.data.to}`] : [];
    return [event.type];
  });
}
