import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { serverClockAhead } from "../../adapters/github/client/server-clock.ts";
import type { Database } from "../../adapters/store/database.ts";
import type { Variables } from "../../config/environment.ts";
import { systemClock } from "../system-clock.ts";
import { checkDisk, checkWritable } from "./disk.ts";
import type { Finding, StartFindings } from "./finding.ts";
import { checkGit } from "./git.ts";
import { openPaths } from "./private-paths.ts";
import { runtimeFindings } from "./runtime.ts";

/**
 * GitHub accepts JWTs of Apps for at most ten minutes, and ours are issued a minute in the past: with more clock skew
 * GitHub refuses them, now or soon.
 */
const MAX_SKEW_MS = 60_000;

/** The places to check. `apiUrl` is undefined if the environment does not say which GitHub to use. */
export interface CheckedPlaces {
  readonly env: Variables;
  /** Absolute path. Relative paths are resolved against it, and .env is in it. */
  readonly cwd: string;
  readonly dataDir: string;
  readonly database: Pick<Database, "files" | "durabilityFaults">;
  readonly apiUrl: string | undefined;
  /** Undefined if the configuration is faulty. */
  readonly minFreeBytes: number | undefined;
  /** The settings that say which agents there are; undefined if the configuration is faulty, or no agents run here. */
  readonly running: Parameters<typeof runtimeFindings>[0] | undefined;
}

/**
 * Looks for everything that makes a start unsafe: `serve` refuses to start with any of the faults, `doctor` prints the
 * faults and the advice. Really tries out each check on this machine if possible. Leaves nothing behind.
 */
export async function runStartChecks(places: CheckedPlaces): Promise<StartFindings> {
  const { env, cwd, dataDir, database, apiUrl } = places;
  const path = env["PRIVATE_KEY"] ? undefined : env["PRIVATE_KEY_PATH"] || undefined;
  const keyPath = path === undefined ? undefined : resolve(cwd, path);
  // Both wait: one for a process, the other for a response.
  const [git, skew] = await Promise.all([checkGit(), clock(apiUrl)]);
  const open = openPaths({ dataDir, databaseFiles: database.files, keyPath, envPath: join(cwd, ".env") });
  const unusable = existsSync(dataDir) && !statSync(dataDir).isDirectory() ? [] : checkWritable(dataDir);
  // Of a directory that cannot be used nothing else is worth a word.
  const disk = unusable.length > 0 ? { faults: unusable, advice: [] } : checkDisk(places);
  const runtime = places.running && runtimeFindings(places.running);
  return {
    faults: [
      ...open,
      ...disk.faults,
      ...(unusable.length > 0 ? [] : await database.durabilityFaults()),
      ...git.faults,
      ...(runtime?.faults ?? []),
      ...skew,
    ],
    advice: [...disk.advice, ...git.advice, ...(runtime?.advice ?? [])],
  };
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
