import { join } from "node:path";
import type { ReadOnlyStore } from "../../adapters/store/database.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { moment } from "../../domain/messages/format.ts";
import { restorable } from "../../domain/tasks/archive.ts";
import { restoreCommand, shellWord } from "../../domain/tasks/archive-text.ts";
import type { CommandContext } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";

/** An archive as the command line shows it; times in milliseconds since the epoch. */
export interface KeptArchive {
  readonly agent: string;
  /** Absolute. */
  readonly path: string;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly made_at: number;
  readonly expires_at: number;
  /** A shell line, to be run in a clone of the repository. */
  readonly restore: string;
}

/** Returns the archives of these agents that can be restored. */
export async function keptArchives(
  context: Pick<CommandContext, "env" | "cwd">,
  store: ReadOnlyStore,
  agents: readonly AgentRecord[],
): Promise<readonly KeptArchive[]> {
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const rows = restorable(await store.archives.ofAgents([...names.keys()]));
  return rows.map((row) => {
    const agent = names.get(row.agentId) ?? "";
    const path = join(dataDirectory(context), row.path);
    return {
      agent,
      path,
      sha256: row.sha256,
      bytes: row.bytes,
      made_at: row.madeAt,
      expires_at: row.expiresAt,
      restore: restoreCommand(agent, shellWord(path)),
    };
  });
}

/** Describes one archive, with the line to paste into a shell. */
export function archiveText({ agent, expires_at, restore }: KeptArchive): string {
  return `work of ${agent} that is nowhere else, kept until ${moment(expires_at)}; in a clone: ${restore}`;
}
