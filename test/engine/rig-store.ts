import { existsSync } from "node:fs";
import type { OpenOptions, OpenStore } from "../../src/adapters/store/database.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { fileStore } from "../factories/file-store.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { ON_POSTGRES } from "./on-postgres.ts";

async function postgresStore(options: OpenOptions): Promise<OpenStore> {
  const { openPostgres } = await import("../postgres/kept-stores.ts");
  const store = await openPostgres(options);
  // The time of a rig is not that of the server.
  return { ...store, nodes: { ...store.nodes, time: async () => null } };
}

/** Opens the database of a rig; null = in memory. */
export async function storeAt(path: string | null, options: OpenOptions): Promise<OpenStore> {
  if (path === null && ON_POSTGRES) return postgresStore(options);
  if (path === null) return memoryStore(options);
  return existsSync(path) ? openStore({ path, ...options }) : fileStore(path, options);
}
