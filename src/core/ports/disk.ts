/** What takes room on the disk of the data directory. Bytes are those of whole blocks, as the file system counts them. */
export interface Disk {
  /** Bytes that may still be written. */
  free(): Promise<number>;
  /** Sums what lies in all directories of an agent: its worktree, its home and the rest of its session. */
  used(agent: { readonly agentId: number; readonly worktreePath: string | null }): Promise<DiskUse>;
}

export interface DiskUse {
  readonly bytes: number;
  /** False where there are more files than were counted. */
  readonly complete: boolean;
}
