import { homedir } from "node:os";
import { createBubblewrapRunner } from "../../adapters/sandbox/bubblewrap.ts";
import { findBubblewrap } from "../../adapters/sandbox/find-bubblewrap.ts";
import { NO_GROUPS } from "../../adapters/sandbox/groups/agent-groups.ts";
import { createUnconfinedRunner } from "../../adapters/sandbox/none.ts";
import type { Runner } from "../../domain/ports/runner.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { CommandContext } from "../command.ts";

/** Returns how agents that are tried are confined: as the configuration says. Null where the sandbox is missing. */
export function trialRunner(
  { mode }: Pick<Settings["sandbox"], "mode">,
  env: CommandContext["env"],
): Runner | null {
  if (mode === "none") return createUnconfinedRunner(systemClock);
  const bwrap = findBubblewrap(env["PATH"] ?? "");
  return bwrap === null ? null : offlineRunner(bwrap);
}

/** Returns the sandbox without a way to any host or registry. `bwrap`: the path of bubblewrap's program. */
export function offlineRunner(bwrap: string, groups = NO_GROUPS): Runner {
  return createBubblewrapRunner({
    clock: systemClock,
    bwrap,
    hidden: [homedir()],
    egress: { directoryFor: noWayOut, open: noWayOut },
    registries: [],
    gitOf: () => null,
    groups,
  });
}

const noWayOut = () => Promise.reject(new Error("what runs here reaches no network"));
