/** A process to be started for an agent. `env` is complete: nothing of ours is inherited. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a command may reach beyond the system's programs. Paths are absolute. */
export interface Reach {
  /** The directories that it may write; none may lie where an agent could put a link in its place. */
  readonly writable: readonly string[];
  /** Files and directories that it may read beside those. */
  readonly readable: readonly string[];
  /** Names of the hosts that it may reach, by HTTPS alone; empty for no network. */
  readonly hosts: readonly string[];
}

export interface RunOptions extends Reach {
  /** Carried by the process and all that it starts; see `killMarked`. */
  readonly mark: string;
  readonly timeoutMs: number;
  /** Aborted: the command is ended as at its time limit. */
  readonly signal: AbortSignal;
  /** Of what it prints, so much of the end is kept. */
  readonly maxOutputBytes: number;
}

/** How a command ended. */
export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The end of what it printed, both streams as they came; begins with a note when there was more. */
  readonly output: string;
  readonly durationMs: number;
}

/** How agents' processes are confined. */
export interface Runner {
  /** What is said aloud at start. */
  readonly description: string;
  /**
   * The command that runs the given one under confinement. Its process ends with ours, and all that it started with
   * it, where the confinement can do that. Throws `OutsideError` `unsafe_path`.
   */
  confine(command: Command, reach: Reach): Promise<Command>;
  /**
   * Runs a command under the same confinement to its end, without standard input. When it ends, passes its time limit
   * or is aborted, every process that it started is ended: SIGTERM, 5 s later SIGKILL. Throws `OutsideError`
   * `command_not_started` or `unsafe_path`.
   */
  run(command: Command, options: RunOptions): Promise<CommandResult>;
  /**
   * Kills every process that carries one of these marks and all their descendants, and waits until they are gone (1 s
   * at most). Returns how many were found.
   */
  killMarked(marks: readonly string[]): Promise<number>;
  /** How many processes `killMarked` would find; 0 where they cannot be listed. */
  countMarked(marks: readonly string[]): Promise<number>;
}

/** A path of the host and where a command sees it, both absolute. `from` null hides what is at `to` behind an empty directory. */
export interface Mount {
  readonly from: string | null;
  readonly to: string;
  readonly writable: boolean;
}

/** How the host's own commands work on files that hostile processes may be exchanging for links at that moment. */
export interface Isolation {
  /** True where `confine` gives a command a file system of its own; else it sees every path where the host has it. */
  readonly confines: boolean;
  /**
   * Returns the command that runs the given one with low priority, limits, and in sight nothing but the system's programs and
   * `mounts`, which are laid in their order. Throws `OutsideError` `unsafe_path` where a writable one is not what its path says.
   */
  confine(command: Command, mounts: readonly Mount[]): Promise<Command>;
  /** Runs the work; where nothing confines, no process of an agent runs meanwhile. */
  whileStill<T>(work: () => Promise<T>): Promise<T>;
}

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
