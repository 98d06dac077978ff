import { isUnreadableRow } from "../../domain/kernel/errors.ts";
import type { MachineName } from "../../domain/kernel/rows.ts";
import type { Records, Tables, Where } from "../../domain/ports/store.ts";

/** Sets an agent aside for which a row cannot be read. */
export type SetAside = (agentId: number, error: unknown) => Promise<void>;

/**
 * As `find`, without the records that cannot be read: one broken row must not hold up the others. `BrokenRows` tells the
 * operator of agents among them. Only where it does no harm that one is missing: whether an issue is free is no such question.
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

/** Does something for one agent. Rows that cannot be read concern that agent alone: it is set aside. */
export async function readably(agentId: number, aside: SetAside, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isUnreadableRow(error)) throw error;
    await aside(agentId, error);
  }
}
