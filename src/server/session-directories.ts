import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../adapters/git/worktree/remove-tree.ts";
import { makeOwnDirectory } from "../adapters/runtimes/process/agent-files.ts";
import { writeSkills } from "../adapters/runtimes/process/skill-files.ts";
import type { Skill } from "../domain/instructions/skill.ts";
import type { Log } from "../domain/ports/log.ts";
import { createDataDisk } from "./data-disk.ts";
import { createOperatorFiles } from "./operator-files.ts";

/**
 * Creates the engine's access to the data directory: agents' directories, their disk usage, and the
 * operator's files.
 */
export function agentPlaces(dataDir: string, databaseFiles: readonly string[], log: Log) {
  return {
    directories: agentDirectories(dataDir),
    disk: createDataDisk(dataDir, databaseFiles),
    operatorFiles: createOperatorFiles(dataDir, log),
  };
}

/**
 * Creates access to agents' directories below the data directory. They are created on request, readable by us only.
 * Agents can change the names in them: a name that is not a directory is deleted, and no link is followed.
 */
export function agentDirectories(dataDir: string) {
  const made = async (...parts: readonly string[]): Promise<string> => {
    const path = join(dataDir, ...parts);
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  };
  const session = (agentId: number) => made("sessions", String(agentId));
  return {
    evaluation: (agentId: number) => made("evaluations", String(agentId)),
    home: (agentId: number) => madeIn(session(agentId), "home"),
    session,
    sentFile: async (agentId: number) => join(await made("sent"), String(agentId)),
    cache: async (repositoryId: number, names: readonly string[]) => {
      const directory = made("caches", String(repositoryId));
      for (const name of names) await madeIn(directory, name);
      return directory;
    },
    /** Deletes all directories of the agent; idempotent. Keeps the cache that the repository's setups share. */
    drop: async (agentId: number) => {
      for (const kind of ["sessions", "evaluations", "sent", "skills"])
        await removeTree(join(dataDir, kind, String(agentId)));
    },
    skills: async (agentId: number, skills: readonly Skill[]) => {
      const path = join(dataDir, "skills", String(agentId));
      await removeTree(path);
      await writeSkills(await made("skills", String(agentId)), skills);
      return path;
    },
    workplace: (agentId: number) => madeIn(session(agentId), "workplace"),
  };
}

async function madeIn(directory: Promise<string>, name: string): Promise<string> {
  const path = join(await directory, name);
  await makeOwnDirectory(path);
  return path;
}
