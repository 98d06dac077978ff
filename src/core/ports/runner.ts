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
