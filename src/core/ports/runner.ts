/** A process to be started for an agent. `env` is complete: nothing of ours is inherited. */
interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How agents' processes are confined. */
export interface Runner {
  /** What is said aloud at start. */
  readonly description: string;
  /** The command that runs the given one under confinement; `writable` are the directories it may write. */
  confine(command: Command, options: { writable: readonly string[] }): Command;
}
