import type { AgentRecord } from "../agents/agent-record.ts";
import { moment } from "../messages/format.ts";
import { type Archive, type ArchiveRow, archiveRefOf, restorable } from "./archive.ts";

/**
 * Returns a shell line that restores archived work as a branch in a clone of the repository. `bundle` is one word of
 * the shell.
 */
export function restoreCommand(agentName: string, bundle: string): string {
  const branch = `restored/${agentName}`;
  return `git fetch ${bundle} ${archiveRefOf(agentName)}:refs/heads/${branch} && git switch ${branch}`;
}

/** Returns the path as one word of the shell. */
export function shellWord(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns why a worktree was removed although it contained work. `files` = its directory, kept because it has too many
 * files for an archive.
 */
export function archivedWork(agentName: string, expiresAt: number, files?: string): string {
  const until = moment(expiresAt);
  return files === undefined
    ? `unsaved work of ${agentName} was archived and is kept until ${until}; the status comment has the command that restores it`
    : `more files of ${agentName} changed than git can archive: its commits are archived, its files kept as they are until ${until}`;
}

/** Returns what a person can do with such a directory. */
export function takeFiles(files: string): string {
  return `copy what you need from $FLOTILLA_DATA_DIR/${files} before then, or delete that directory to free disk space`;
}

/** Returns why the archive was deleted. */
export function forgotten(agentName: string, kept: readonly Archive[]): string {
  const what =
    kept.length === 0
      ? "its checkpoints were"
      : `the archive of its work, made ${kept.map(({ madeAt }) => moment(madeAt)).join()}, was`;
  return `the time to keep the work of ${agentName} is over (retention.worktrees): ${what} deleted`;
}

/** Returns what people read about archived work. GitHub shows the host's variable instead of its paths. */
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
      `Unpushed work of ${name} is kept until ${moment(expiresAt)}. The operator can restore it in a clone of this repository:`,
      "",
      "```sh",
      restoreCommand(name, `"$FLOTILLA_DATA_DIR/${path}"`),
      "```",
    ];
  });
}
