import { type Archive, type ArchiveRow, archiveRefOf, restorable } from "../archive.ts";
import type { AgentRecord } from "../machines/agent-record.ts";
import { moment } from "./moment.ts";

/** A shell line that brings archived work into a clone of the repository, as a branch. `bundle` is one word of the shell. */
export function restoreCommand(agentName: string, bundle: string): string {
  const branch = `restored/${agentName}`;
  return `git fetch ${bundle} ${archiveRefOf(agentName)}:refs/heads/${branch} && git switch ${branch}`;
}

/** The path as one word of the shell. */
export function shellWord(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Why a worktree went although it held work. */
export function archivedWork(agentName: string, expiresAt: number): string {
  return `what the worktree of ${agentName} held that is nowhere else is archived, and kept until ${moment(expiresAt)}; the status comment says how to have it back`;
}

/** Why what was kept went. */
export function forgotten(agentName: string, kept: readonly Archive[]): string {
  const what =
    kept.length === 0
      ? "its checkpoints"
      : `the archive of its work, made ${kept.map(({ madeAt }) => moment(madeAt)).join()}`;
  return `the time to keep what ${agentName} left is over (retention.worktrees): ${what} went`;
}

/** What people read of work that can be had back. The host's paths are not told on GitHub: its variable stands for them. */
export function archivesShown(
  agents: readonly Pick<AgentRecord, "id" | "name">[],
  rows: readonly ArchiveRow[],
): readonly string[] {
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  return restorable(rows).flatMap(({ agentId, path, expiresAt }) => {
    const name = names.get(agentId);
    if (name === undefined) return [];
    return [
      "",
      `Work of ${name} that is nowhere else is kept until ${moment(expiresAt)}. Who runs Flotilla restores it in a clone of this repository:`,
      "",
      "```sh",
      restoreCommand(name, `"$FLOTILLA_DATA_DIR/${path}"`),
      "```",
    ];
  });
}
