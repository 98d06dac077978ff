import type { Command } from "./runner.ts";

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
