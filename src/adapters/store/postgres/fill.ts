import type pg from "pg";
import { OutsideError } from "../../../domain/kernel/errors.ts";
import { copyTables, type TableReader } from "../copy/copy-tables.ts";
import { migrate } from "./schema.ts";
import { numberOn, tableReader, tableWriter } from "./table-access.ts";

type Client = Pick<pg.ClientBase, "query">;

/** Gives `work` all rows as they are now. */
export async function snapshotOf<T>(client: Client, work: (rows: TableReader) => Promise<T>): Promise<T> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await work(await tableReader(client));
  } finally {
    await client.query("ROLLBACK").catch(() => {});
  }
}

/** Fills the database, which must hold no rows, with these rows. `told`: where it is, for people. */
export async function fillDatabase(
  client: Client,
  rows: TableReader,
  told: string,
): Promise<ReadonlyMap<string, number>> {
  await migrate(client);
  await client.query("BEGIN");
  try {
    const writer = await tableWriter(client);
    for (const table of writer.columns.keys()) {
      const { rows: some } = await client.query(`SELECT 1 FROM "${table}" LIMIT 1`);
      if (some.length > 0)
        throw new OutsideError("not_empty", `${told} already holds rows of ${table}`, {
          consequence: "tell",
          advice: "Name an empty database.",
        });
    }
    const counts = await copyTables(rows, writer);
    await numberOn(client, rows.lastEvent);
    await client.query("COMMIT");
    return counts;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
