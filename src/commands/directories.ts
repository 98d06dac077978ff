import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../git/remove-tree.ts";

/** Directories of agents below the data directory, made when they are asked for, readable by us only. */
export function agentDirectories(dataDir: string) {
  const made = async (...parts: readonly string[]): Promise<string> => {
    const path = join(dataDir, ...parts);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return {
    evaluation: (agentId: number) => made("evaluations", String(agentId)),
    home: (agentId: number) => made("sessions", String(agentId), "home"),
    session: (agentId: number) => made("sessions", String(agentId)),
    cache: async (repositoryId: number, names: readonly string[]) => {
      for (const name of names) await made("caches", String(repositoryId), name);
      return join(dataDir, "caches", String(repositoryId));
    },
    /** Deletes all of the agent's own; idempotent. What the repository's setups share stays. */
    drop: async (agentId: number) => {
      for (const kind of ["sessions", "evaluations"]) await removeTree(join(dataDir, kind, String(agentId)));
    },
    workplace: (agentId: number) => made("sessions", String(agentId), "workplace"),
  };
}
