import type { EvidenceRow } from "../kernel/rows.ts";
import { notStarted } from "../services/start-as-command.ts";
import type { Missing } from "./missing.ts";

/**
 * Returns the acceptance commands that have not run for this claim and commit yet. `rows` are the claim's. After a
 * setup command that failed on the commit, none.
 */
export function commandsLeft(
  commands: readonly string[],
  rows: readonly EvidenceRow[],
  commit: string,
): readonly string[] {
  const ofCommit = rows.filter((row) => row.commit === commit);
  if (ofCommit.some(({ kind, holds }) => kind === "setup" && !holds)) return [];
  const ran = new Set(ofCommit.flatMap(({ kind, command }) => (kind === "command" ? [command] : [])));
  return commands.filter((command) => !ran.has(command));
}

/** Returns the failures of the commands that ran for this claim and commit. */
export function failedCommands(rows: readonly EvidenceRow[], commit: string): readonly Missing[] {
  return rows.flatMap((row): Missing[] => {
    if (row.commit !== commit || row.holds || row.command === null) return [];
    const { command, exitCode, timedOut, output } = row;
    if (row.kind === "setup") {
      const kind = notStarted(command) === null ? "setup_failed" : "services_failed";
      return [{ kind, command, exitCode, timedOut, output }];
    }
    if (row.kind === "command") return [{ kind: "command_failed", command, exitCode, timedOut, output }];
    return [];
  });
}
