import type { Runner } from "../core/ports/runner.ts";

/** A runner that confines nothing: agents have every right of the user that Flotilla runs as. */
export function createUnconfinedRunner(): Runner {
  return {
    description:
      "agents run unconfined: they can read and write what this user can, and reach the network; use private repositories only",
    confine: (command) => command,
  };
}
