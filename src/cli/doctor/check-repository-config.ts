import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { moment } from "../../domain/messages/format.ts";
import type { RepositoryFileRow } from "../../domain/ports/settings-tables.ts";
import { repositoryFileStanding } from "../../domain/settings/repository-file-state.ts";
import { faultsInLine, standingFileWords } from "../../domain/settings/repository-file-text.ts";
import type { Finding } from "../../server/start-checks/finding.ts";

/** The repository's own file where it was faulty when it was read last: its faults, what holds instead, what to do. */
export function repositoryConfigFindings(
  row: RepositoryRow,
  files: readonly RepositoryFileRow[],
): readonly Finding[] {
  const file = files.find(({ repositoryId }) => repositoryId === row.id);
  const standing = repositoryFileStanding(file);
  if (file === undefined || standing.state !== "faulty") return [];
  const about = fullName(row);
  const { what, next } = standingFileWords(standing, about);
  return [
    {
      about,
      what: `${what} (read ${moment(file.readAt)}): ${faultsInLine(standing.faults)}`,
      next: next ?? "",
    },
  ];
}
