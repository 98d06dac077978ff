import type { RepositoryOverride } from "../repository-override.ts";

/** What was read last of a repository's own file. */
export interface RepositoryFileRow {
  readonly repositoryId: number;
  /** Of the directory entries that were read, and empty where there was no file: another content has another one. */
  readonly fingerprint: string;
  /** The last one without a fault; null where there was none. */
  readonly override: RepositoryOverride | null;
  /** Fingerprint of what the override was read from. */
  readonly source: string | null;
  /** Of what was read last; none where it is in force. */
  readonly faults: readonly string[];
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

export interface RepositoryFileTable {
  put(row: RepositoryFileRow): Promise<void>;
  get(repositoryId: number): Promise<RepositoryFileRow | undefined>;
  all(): Promise<readonly RepositoryFileRow[]>;
}
