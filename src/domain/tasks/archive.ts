/**
 * What is kept of an agent that has ended: of all of them what stands in the mirror, and of one whose worktree held what
 * was nowhere else a bundle. Times are milliseconds since the epoch.
 */
export interface ArchiveRow {
  readonly agentId: number;
  /** The bundle, relative to the data directory; null when all its work is on the server. */
  readonly path: string | null;
  /** Of the bundle; hex. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly madeAt: number;
  /** From then on it may be removed. */
  readonly expiresAt: number;
  readonly removedAt: number | null;
}

/** A bundle that can still be restored. */
export interface Archive extends ArchiveRow {
  readonly path: string;
}

/** Which of the rows lead to a bundle. */
export function restorable(rows: readonly ArchiveRow[]): readonly Archive[] {
  return rows.flatMap((row) =>
    row.path === null || row.removedAt !== null ? [] : { ...row, path: row.path },
  );
}

/** Returns the ref that holds an agent's archived work, in the mirror and in the bundle. */
export function archiveRefOf(agentName: string): string {
  return `refs/flotilla/archives/${agentName}`;
}
