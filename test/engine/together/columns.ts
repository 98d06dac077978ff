import type { TransitionRow } from "../../../src/domain/kernel/rows.ts";
import { agentOf, runOf, sessionsOf, taskOf } from "../look.ts";
import type { Rig } from "../rig.ts";
import type { Columns } from "./rows.ts";

/** What the moves after transition `since` came to, in the four columns. */
export async function columnsSince(rig: Rig, since: number, name?: string): Promise<Columns> {
  const agent = await agentOf(rig, name);
  const run = await runOf(rig, name);
  const sessions = await sessionsOf(rig, name);
  const task = await taskOf(rig);
  const last = sessions.at(-1);
  const rows = await rig.store.transitions.after(since, 1000);
  const of = (machine: TransitionRow["machine"], ids: readonly (number | undefined)[]) =>
    rows
      .filter((row) => row.machine === machine && ids.includes(row.recordId))
      .filter((row) => row.event !== "STEP" || row.from !== row.to)
      // An old conversation is dropped while the new one begins to talk: each has an order of its own.
      .toSorted((one, other) => one.recordId - other.recordId)
      .map(({ event }) => event)
      .join(" ");
  const gone = last !== undefined && last.destroyedAt !== null;
  return {
    session: `${of(
      "session",
      sessions.map(({ id }) => id),
    )} → ${gone ? "deleted" : (last?.state ?? "none")}`,
    run: `${of("run", [run?.id])} → ${run?.state ?? "none"}`,
    agent: `${of("agent", [agent.id])} → ${agent.state}${agent.sleepReason === null ? "" : ` (${agent.sleepReason})`}`,
    task: `${of("task", [task?.id])} → ${task?.state ?? "none"}`,
  };
}

/** The id of the latest transition. */
export async function now(rig: Rig): Promise<number> {
  return (await rig.store.transitions.after(0, 10_000)).at(-1)?.id ?? 0;
}
