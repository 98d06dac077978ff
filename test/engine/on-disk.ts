import { AsyncLocalStorage } from "node:async_hooks";

const place = new AsyncLocalStorage<string>();

/** Where a rig keeps its database when nobody says: in memory (null), or in the file of `onDisk`. */
export const databaseHere = (): string | null => place.getStore() ?? null;

/** Runs `make` with the databases of its rigs in that file, where the commands of a terminal find it. */
export const onDisk = <T>(path: string, make: () => T): T => place.run(path, make);
