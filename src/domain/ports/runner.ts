import type { ServiceHost } from "./service-host.ts";

/** A process to be started for an agent. `env` is complete: nothing of ours is inherited. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A socket of the host that one command reaches at a loopback port. */
export interface HostPort {
  /** The port as the command sees it. */
  readonly port: number;
  /** Where the socket is to be made before the command starts: alone in a directory that is its owner's only. */
  readonly path: string;
  /** Nothing is accepted any more, and the directory is gone. Idempotent. */
  close(): void;
}

/** What a command may reach besides the system's programs. Paths are absolute. */
export interface Reach {
  /** Directories that the command may write; an agent must not be able to replace one by a link. */
  readonly writable: readonly string[];
  /** Other files and directories that the command may read. */
  readonly readable: readonly string[];
  /** Names of the hosts that the command may reach, by HTTPS alone; empty for no network. */
  readonly hosts: readonly string[];
  /** Whether the command may read from the operator's registries, each at a loopback address. */
  readonly registries: boolean;
  /** From the runner's `port`; whoever else can reach it is the socket's to tell. */
  readonly port?: HostPort;
  /** Files of the host that are seen, read-only, at another path; only where the runner confines. */
  readonly shownAt?: readonly { readonly path: string; readonly seenAt: string }[];
  /** Starts services beside the command, which begins when it is released. */
  readonly services?: ServiceHost;
}

export interface RunOptions extends Reach {
  /** Carried by the process and all its descendants; see `killMarked`. */
  readonly mark: string;
  readonly timeoutMs: number;
  /** When aborted, the command ends as at its time limit. */
  readonly signal: AbortSignal;
  /** Bytes kept of the end of the output. */
  readonly maxOutputBytes: number;
}

/** How a command ended. */
export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The end of the output, both streams interleaved; begins with a note when it was cut. */
  readonly output: string;
  readonly durationMs: number;
  /** Names of hosts, each once, that the command asked for and that are none of its `hosts`. */
  readonly refusedHosts: readonly string[];
  /** Sentences, each once, on why the command did not get what it may reach. */
  readonly refusals: readonly string[];
}

/** How agents' processes are confined. */
export interface Runner {
  /** A description that the log shows at start. */
  readonly description: string;
  /**
   * Returns the command that runs the given one under confinement, once. Its process ends with ours, and so do its
   * descendants, where the confinement can do that. Throws `OutsideError` `unsafe_path`.
   */
  confine(command: Command, reach: Reach): Promise<Command>;
  /**
   * Runs a command under the same confinement to its end, without standard input. At its end, its time limit or an
   * abort, all its descendants are ended: SIGTERM, 5 s later SIGKILL. Throws `OutsideError` `command_not_started` or
   * `unsafe_path`.
   */
  run(command: Command, options: RunOptions): Promise<CommandResult>;
  /** Creates what starts services beside one command, to be given to `confine` or `run` once. */
  services(): Promise<ServiceHost>;
  /**
   * Creates a place for a socket that one command can reach, to be given to `confine` once. Unconfined, every process
   * of the machine can reach the port.
   */
  port(): Promise<HostPort>;
  /**
   * Kills every process that carries one of these marks and all their descendants, and waits until they are gone (1 s
   * at most). Returns how many were found.
   */
  killMarked(marks: readonly string[]): Promise<number>;
  /**
   * Returns why the system ended the processes of the latest command with this mark that `confine` made, where that was for
   * their memory: the rest of a sentence, with the next step. Null where it was not, or nobody knows. To be asked before
   * `killMarked`.
   */
  memoryEnd(mark: string): string | null;
  /** Returns how many processes `killMarked` would find; 0 where they cannot be listed. */
  countMarked(marks: readonly string[]): Promise<number>;
}

/** A path of the host and where a command sees it, both absolute. `from` null hides `to` behind an empty directory. */
export interface Mount {
  readonly from: string | null;
  readonly to: string;
  readonly writable: boolean;
}

/** How the host's own commands work on files that hostile processes may be replacing by links at that moment. */
export interface Isolation {
  /** True where `confine` gives a command a file system of its own; else it sees the host's paths. */
  readonly confines: boolean;
  /**
   * Returns the command that runs the given one with low priority, limits, and only the system's programs and `mounts`,
   * in their order. Throws `OutsideError` `unsafe_path` where a writable mount contains a link.
   */
  confine(command: Command, mounts: readonly Mount[]): Promise<Command>;
  /** Runs the work; without confinement, no process of an agent runs meanwhile. */
  whileStill<T>(work: () => Promise<T>): Promise<T>;
}

/** What uses the disk of the data directory. Bytes are those of whole blocks, as the file system counts them. */
export interface Disk {
  /** Cheap enough to call each second. */
  space(): Promise<DiskSpace>;
  /**
   * Sums all directories of an agent (its worktree, its home and the rest of its session); counts at most `most` files.
   */
  used(
    agent: { readonly agentId: number; readonly worktreePath: string | null },
    most: number,
  ): Promise<Counted>;
  /** Returns deleted files that agents' processes keep open, by agent; no directory lists them. */
  heldOpen(): Promise<ReadonlyMap<number, HeldOpen>>;
  /** Sums the repositories' mirrors, which belong to no agent. */
  mirrors(): Promise<Counted>;
  /** Creates the file whose blocks `giveUpReserve` frees, if it is missing and fits. */
  keepReserve(): Promise<void>;
  /** Frees space for the database on a full disk; true when there was something to free. */
  giveUpReserve(): Promise<boolean>;
}

export interface DiskSpace {
  /** Bytes that may still be written. */
  readonly freeBytes: number;
  /** Files that may still be created; null where the file system has no fixed number of them. */
  readonly freeFiles: number | null;
  /** All files that the file system can hold, used or not. */
  readonly allFiles: number | null;
}

export interface Counted {
  readonly bytes: number;
  /** Names, so that each hard link of a file counts, and directories. */
  readonly files: number;
}

export interface HeldOpen {
  readonly bytes: number;
  /** True when one of the processes does not show its open files. */
  readonly hidden: boolean;
}
