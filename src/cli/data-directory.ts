import type { Database, ReadOnlyStore } from "../adapters/store/database.ts";
import { databaseIn } from "../adapters/store/registry.ts";
import { dataDirectoryIn } from "../config/environment.ts";
import { OutsideError } from "../domain/kernel/errors.ts";
import type { CommandContext } from "./command.ts";

/** Returns the absolute path of FLOTILLA_DATA_DIR, by default ./data. */
export function dataDirectory({ env, cwd }: Pick<CommandContext, "env" | "cwd">): string {
  return dataDirectoryIn(env, cwd);
}

/** Returns the database that the environment names. */
export function databaseOf({ env, cwd }: Pick<CommandContext, "env" | "cwd">): Database {
  return databaseIn({ variables: env, dataDir: dataDirectoryIn(env, cwd) });
}

/** Opens the database read-only for `work`, beside a serving process or without one. */
export async function reading<T>(
  context: Pick<CommandContext, "env" | "cwd">,
  work: (store: ReadOnlyStore) => Promise<T>,
): Promise<T> {
  const database = databaseOf(context);
  if (!(await whileReachable(database, () => database.exists())))
    throw new OutsideError("no_database", `there is no database at ${database.at}`, {
      consequence: "tell",
      advice: "Start Flotilla once with `npm start`, or set FLOTILLA_DATA_DIR.",
    });
  return whileReadable(database, async () => {
    const store = await database.openReadOnly();
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  });
}

/**
 * Runs `work` on a database of this version; throws `OutsideError`, with what to do, where the database
 * cannot be read.
 */
export function whileReadable<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return whileReachable(database, async () => {
    await refuseOtherSchema(database);
    return work();
  });
}

/** Runs `work` on a database of any version; throws `OutsideError`, with what to do, where it cannot be read. */
export async function whileReachable<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = database.readingFault(error);
    if (fault === undefined) throw error;
    throw new OutsideError("unreadable", `${database.at} ${fault.what}.`, {
      consequence: "tell",
      advice: `${fault.next}.`,
      cause: error,
    });
  }
}

/** Throws for a database of another version. */
async function refuseOtherSchema(database: Database): Promise<void> {
  const fault = await database.schemaFault();
  if (fault !== undefined)
    throw new OutsideError("other_schema", `${database.at} ${fault.what}.`, {
      consequence: "tell",
      advice: `${fault.next}.`,
    });
}
