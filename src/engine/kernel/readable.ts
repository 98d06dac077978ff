import { isUnreadableRow } from "../../domain/kernel/errors.ts";
import type { MachineName } from "../../domain/kernel/rows.ts";
import type { Records, Tables, Where } from "../../domain/ports/store.ts";

/** Holds an agent that has an unreadable row. */
export type HoldUnreadable = (agentId: number, error: unknown) => Promise<void>;

/**
 * Finds records, without unreadable ones, so that one broken row does not stop the others; `BrokenRows`
 * reports agents among them. Use it only where a missing record does no harm: not for whether an issue is
 * free.
 */
export async function readable<M extends MachineName>(
  { records }: Pick<Tables, "records">,
  machine: M,
  where: Where<Records[M]>,
): Promise<readonly Records[M][]> {
  try {
    return await records.find(machine, where);
  } catch (error) {
    if (!isUnreadableRow(error)) throw error;
  }
  const found: Records[M][] = [];
  for (const id of await records.ids(machine, where)) {
    const record = await unlessUnreadable(() => records.get(machine, id));
    if (record !== undefined) found.push(record);
  }
  return found;
}

async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadableRow(error)) throw error;
    return undefined;
  }
}

/** Does something for one agent, and holds the agent when a row cannot be read. */
export async function withReadableRows(
  agentId: number,
  holdUnreadable: HoldUnreadable,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isUnreadableRow(error)) throw error;
    await holdUnreadable(agentId, error);
  }
}
