import type { RepositoryFileRow } from "../../core/ports/repository-file-rows.ts";
import { fullName } from "../../core/repository.ts";
import { repositoryFileStanding } from "../../core/repository-file-standing.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import { moment } from "../../core/text/moment.ts";
import { faultsInLine, standingFileWords } from "../../core/text/repository-file.ts";
import type { Finding } from "../start-checks/finding.ts";

/** The repository's own file where it was faulty when it was read last: its faults, what holds instead, what to do. */
export function ownFileFindings(row: RepositoryRow, files: readonly RepositoryFileRow[]): readonly Finding[] {
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
