import type { DirectoryEntry } from "../ports/github-changes.ts";
import type { RepositoryFileRow } from "../ports/settings-tables.ts";
import { REPOSITORY_FILE } from "./repository-file-path.ts";
import type { RepositoryOverride } from "./repository-override.ts";
import type { Settings } from "./settings.ts";

/** Bytes of the file, and of one role file: the time to parse deliberately nested YAML grows faster than its length. */
export const REPOSITORY_FILE_BYTES = 16_384;

/** The content of a repository's file; with faults there is no override. */
export interface RepositoryFileRead {
  readonly override: RepositoryOverride | undefined;
  /** Each begins with the path of its file in the repository. */
  readonly faults: readonly string[];
  readonly notices: readonly string[];
}

/** Validates a repository's file within the operator's settings; `texts` are its role files by name. Never throws. */
export type ReadRepositoryFile = (
  text: string,
  settings: Settings,
  texts: ReadonlyMap<string, string>,
) => RepositoryFileRead;

/**
 * Returns a text that changes with the content of the file, by the entries of `.github`; empty where there is no file.
 */
export function fingerprintOf(entries: readonly DirectoryEntry[]): string {
  const file = entries.find(({ name }) => name === "flotilla.yml");
  if (file === undefined) return "";
  return `${file.sha} ${entries.find(({ name }) => name === "flotilla")?.sha ?? "-"}`;
}

/** Returns why an entry is not read as a file; null where it is. */
export function unreadable(entry: Pick<DirectoryEntry, "type" | "bytes">): string | null {
  if (entry.type !== "file") return "is no regular file; put the file itself there.";
  return entry.bytes > REPOSITORY_FILE_BYTES
    ? `is longer than ${REPOSITORY_FILE_BYTES} bytes; make it shorter.`
    : null;
}

/**
 * Returns the row to store after a reading. A faulty file keeps the last good one in force; a missing one, the
 * operator's settings.
 */
export function keptOf(
  before: RepositoryFileRow | undefined,
  read: {
    readonly repositoryId: number;
    readonly fingerprint: string;
    readonly readAt: number;
    readonly faults: readonly string[];
    readonly override: RepositoryOverride | undefined;
  },
): RepositoryFileRow {
  const { override, ...rest } = read;
  if (read.faults.length > 0)
    return { ...rest, override: before?.override ?? null, source: before?.source ?? null };
  return { ...rest, override: override ?? null, source: override === undefined ? null : read.fingerprint };
}

/** Returns the text that reports a reading; null where nothing has changed. */
export function repositoryFileMessage(
  before: Pick<RepositoryFileRow, "fingerprint" | "faults" | "source"> | undefined,
  now: RepositoryFileRow,
  notices: readonly string[] = [],
): {
  readonly rule: "repository_file_taken" | "repository_file_faulty" | "repository_file_gone";
  readonly reason: string;
} | null {
  if (now.faults.length > 0) {
    if (before?.fingerprint === now.fingerprint && before.faults.join("\n") === now.faults.join("\n"))
      return null;
    const holds =
      now.override === null ? "the operator's settings hold" : "what it said last without a fault holds";
    return { rule: "repository_file_faulty", reason: `${holds}: ${now.faults.join(" ")}` };
  }
  if (before?.source === now.source && before?.faults.length === 0) return null;
  if (now.override !== null)
    return {
      rule: "repository_file_taken",
      reason: [`${REPOSITORY_FILE} applies from the next decision on`, ...notices].join("; "),
    };
  return (before?.fingerprint ?? "") === ""
    ? null
    : { rule: "repository_file_gone", reason: `${REPOSITORY_FILE} is gone: the operator's settings apply` };
}
