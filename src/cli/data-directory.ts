import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openStoreReadOnly, type ReadOnlyStore } from "../adapters/store/sqlite/open-read-only.ts";
import { schemaFault } from "../adapters/store/sqlite/schema-number.ts";
import { OutsideError } from "../domain/kernel/errors.ts";
import type { CommandContext } from "./command.ts";

/** FLOTILLA_DATA_DIR, or ./data; absolute. */
export function dataDirectory({ env, cwd }: Pick<CommandContext, "env" | "cwd">): string {
  return resolve(cwd, env["FLOTILLA_DATA_DIR"] || "data");
}

/** Reads the database beside a serving process, or without one. */
export async function reading<T>(
  context: Pick<CommandContext, "env" | "cwd">,
  work: (store: ReadOnlyStore) => Promise<T>,
): Promise<T> {
  const path = join(dataDirectory(context), "flotilla.db");
  if (!existsSync(path))
    throw new OutsideError("no_database", `there is no database at ${path}`, {
      consequence: "tell",
      advice: "Start Flotilla once with `npm start`, or set FLOTILLA_DATA_DIR.",
    });
  refuseOtherSchema(path);
  const store = openStoreReadOnly({ path });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Throws for a database that this version does not read. */
export function refuseOtherSchema(path: string): void {
  const fault = schemaFault(path);
  if (fault !== undefined)
    throw new OutsideError("other_schema", `${path} ${fault.what}.`, {
      consequence: "tell",
      advice: `${fault.next}.`,
    });
}
