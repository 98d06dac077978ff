import { join, resolve } from "node:path";
import { serverClockAhead } from "../../adapters/github/client/server-clock.ts";
import { tryDurable } from "../../adapters/store/sqlite/try-durable.ts";
import type { Variables } from "../../config/environment.ts";
import { systemClock } from "../system-clock.ts";
import { checkDisk } from "./disk.ts";
import type { Finding, Looked } from "./finding.ts";
import { checkGit } from "./git.ts";
import { openPaths } from "./private-paths.ts";
import { runtimeFaults } from "./runtime.ts";

/** GitHub takes the App's tokens for ten minutes, and those of ours begin a minute back: more is refused now or soon. */
const MAX_SKEW_MS = 60_000;

/** What the checks look at. `apiUrl` is undefined where the environment does not say which GitHub it is. */
export interface CheckedPlaces {
  readonly env: Variables;
  /** Absolute; relative paths are seen from here, and .env lies here. */
  readonly cwd: string;
  readonly dataDir: string;
  readonly apiUrl: string | undefined;
  /** Undefined where the configuration is faulty. */
  readonly minFreeBytes: number | undefined;
}

/**
 * Everything that makes a start unsafe, looked for at once: `serve` refuses to start with any of the faults, `doctor` tells
 * them and the advice. Each is really tried on this machine where it can be. Leaves nothing behind.
 */
export async function runStartChecks(places: CheckedPlaces): Promise<Looked> {
  const { env, cwd, dataDir, apiUrl } = places;
  const path = env["PRIVATE_KEY"] ? undefined : env["PRIVATE_KEY_PATH"] || undefined;
  const keyPath = path === undefined ? undefined : resolve(cwd, path);
  // Both wait for something else: a process, an answer.
  const [git, skew] = await Promise.all([checkGit(), clock(apiUrl)]);
  const disk = checkDisk(places);
  return {
    faults: [
      ...openPaths({ dataDir, keyPath, envPath: join(cwd, ".env") }),
      ...disk.faults,
      ...durability(dataDir),
      ...git.faults,
      ...runtimeFaults(),
      ...skew,
    ],
    advice: [...disk.advice, ...git.advice],
  };
}

function durability(dataDir: string): readonly Finding[] {
  return tryDurable(dataDir).map((fault) => ({
    about: "database",
    what: `a new one beside yours does not hold what is promised: ${fault}`,
    next: "Put that right first; nothing that is acknowledged would be safe",
  }));
}

async function clock(apiUrl: string | undefined): Promise<readonly Finding[]> {
  const ahead = apiUrl === undefined ? null : await serverClockAhead({ baseUrl: apiUrl, clock: systemClock });
  if (ahead === null || Math.abs(ahead) <= MAX_SKEW_MS) return [];
  return [
    {
      about: "clock",
      what: `this machine is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? "behind" : "ahead of"} GitHub, which then refuses the App's tokens`,
      next: "Set the clock, best by NTP (timedatectl set-ntp true)",
    },
  ];
}
