/** What takes room on the disk of the data directory. Bytes are those of whole blocks, as the file system counts them. */
export interface Disk {
  /** Cheap enough for each second. */
  space(): Promise<DiskSpace>;
  /** Sums what lies in all directories of an agent (its worktree, its home and the rest of its session); counts no more than `most` files. */
  used(
    agent: { readonly agentId: number; readonly worktreePath: string | null },
    most: number,
  ): Promise<Counted>;
  /** What the processes of agents keep open although it is deleted, by agent; no directory lists it. */
  heldOpen(): Promise<ReadonlyMap<number, HeldOpen>>;
  /** Sums the repositories' mirrors, which belong to no agent. */
  mirrors(): Promise<Counted>;
  /** Makes the file whose blocks `giveUpReserve` frees, where there is none and room for it. */
  keepReserve(): Promise<void>;
  /** Frees room for the database on a disk that is full; true when there was something to free. */
  giveUpReserve(): Promise<boolean>;
}

export interface DiskSpace {
  /** That may still be written. */
  readonly freeBytes: number;
  /** That may still be made; null where the file system has no fixed number of them. */
  readonly freeFiles: number | null;
  /** Of the file system, used or not. */
  readonly allFiles: number | null;
}

export interface Counted {
  readonly bytes: number;
  /** Names, so that each of a file's hard links counts, and directories. */
  readonly files: number;
}

export interface HeldOpen {
  readonly bytes: number;
  /** True when one of the processes does not show what it has open. */
  readonly hidden: boolean;
}
