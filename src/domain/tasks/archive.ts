/**
 * What is kept of an ended agent: always a ref in the mirror, and a bundle if the worktree had work that existed
 * nowhere else. Times are milliseconds since the epoch.
 */
export interface ArchiveRow {
  readonly agentId: number;
  /** The bundle, relative to the data directory; null when all work is on the server. */
  readonly path: string | null;
  /** The hash of the bundle; hex. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly madeAt: number;
  /** The time from which it may be removed. */
  readonly expiresAt: number;
  readonly removedAt: number | null;
}

/** A bundle that can still be restored. */
export interface Archive extends ArchiveRow {
  readonly path: string;
}

/** Returns the rows with a bundle. */
export function restorable(rows: readonly ArchiveRow[]): readonly Archive[] {
  return rows.flatMap((row) =>
    row.path === null || row.removedAt !== null ? [] : { ...row, path: row.path },
  );
}

/** Returns the ref that holds an agent's archived work, in the mirror and in the bundle. */
export function archiveRefOf(agentName: string): string {
  return `refs/flotilla/archives/${agentName}`;
}
