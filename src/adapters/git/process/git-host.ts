import { mkdirSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Level } from "../../../domain/access/level.ts";
import { type AtCrashPoint, neverCrash } from "../../../domain/kernel/crash-points.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Log } from "../../../domain/ports/log.ts";
import type { Isolation } from "../../../domain/ports/runner.ts";
import { ensureExactFile } from "../worktree/exact-file.ts";
import { removeTree } from "../worktree/remove-tree.ts";

/** What every function of the git adapter needs. `createGitHost` creates it once. */
export interface GitHost {
  /** Absolute path. */
  readonly dataDir: string;
  /** Scheme and host of the GitHub server, without a trailing slash. */
  readonly serverUrl: string;
  /** The only transport that git may use: the scheme of `serverUrl`. */
  readonly protocol: "http" | "https";
  /** Returns a short-lived token that reads and writes the contents of this repository. */
  readonly token: (repository: RepositoryRef) => Promise<string>;
  /** Returns the level of the repository; nothing is pushed below `draft`. */
  readonly level: (repository: RepositoryRef) => Level;
  readonly log: Log;
  readonly checkoutWorkers: number;
  readonly locks: KeyLock;
  /** An empty directory: HOME and current directory of every git process. */
  readonly home: string;
  /** Temporary files of single operations: quarantines, drafts of bundles. Emptied at start. */
  readonly scratch: string;
  readonly askpass: string;
  readonly isolation: Isolation;
  readonly crashPoint: AtCrashPoint;
}

export interface GitHostOptions {
  readonly dataDir: string;
  readonly serverUrl: string;
  readonly token: (repository: RepositoryRef) => Promise<string>;
  /** Returns the level of a repository. Default: `merge` everywhere. */
  readonly level?: (repository: RepositoryRef) => Level;
  readonly log: Log;
  /** How git works on files that agents may be changing at the same time. */
  readonly isolation: Isolation;
  /** Parallel processes that write files at a checkout; 2 is best on two cores. */
  readonly checkoutWorkers?: number | undefined;
  readonly crashPoint?: AtCrashPoint;
}

/** Creates the host. Throws a plain Error if `serverUrl` is not an http or https URL. Does not access the disk. */
export function createGitHost(options: GitHostOptions): GitHost {
  const url = new URL(options.serverUrl);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Error(`The git server must be an https URL, not ${options.serverUrl}`);
  }
  const dataDir = resolve(options.dataDir);
  return {
    dataDir,
    serverUrl: options.serverUrl.replace(/\/+$/, ""),
    protocol: url.protocol === "https:" ? "https" : "http",
    token: options.token,
    level: options.level ?? (() => "merge"),
    log: options.log,
    checkoutWorkers: options.checkoutWorkers ?? 2,
    locks: createKeyLock(),
    home: join(dataDir, "git", "home"),
    scratch: join(dataDir, "git", "scratch"),
    askpass: join(dataDir, "git", "askpass"),
    isolation: options.isolation,
    crashPoint: options.crashPoint ?? neverCrash,
  };
}

const cleared = new WeakMap<GitHost, Promise<void>>();

/**
 * Creates the host's own directories, with an empty HOME. The first call also deletes what an earlier process left
 * there.
 */
export async function ensureHostDirectories(host: GitHost): Promise<void> {
  // Before every git command, so not worth a turn of the thread pool.
  for (const path of [host.home, host.scratch]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const clearing = cleared.get(host) ?? clearScratch(host);
  cleared.set(host, clearing);
  await clearing;
}

async function clearScratch({ scratch, log }: GitHost): Promise<void> {
  for (const name of await readdir(scratch)) {
    const path = join(scratch, name);
    const found = await lstat(path).catch(() => null);
    if (found === null || found.ctimeMs >= performance.timeOrigin) continue;
    log.info({ path }, "leftovers of an interrupted operation removed");
    await removeTree(path);
  }
}

/** Answers git's two credential questions, but only for our server. */
const ASKPASS = `#!/bin/sh
case "$1" in
  "Username for '$FLOTILLA_GIT_ORIGIN'"*) printf '%s\\n' x-access-token ;;
  "Password for '$FLOTILLA_GIT_ASKED_AS'"*) printf '%s\\n' "$FLOTILLA_GIT_TOKEN" ;;
  *) exit 1 ;;
esac
`;

/**
 * Returns the environment with which one git process can ask for its credential: a script without a secret, and the
 * token in that process's environment only. Verifies the script each time, so that a modified one is never used.
 */
export async function credentialEnvironment(
  host: GitHost,
  repository: RepositoryRef,
): Promise<Record<string, string>> {
  const token = await host.token(repository);
  await ensureHostDirectories(host);
  await ensureExactFile(host.askpass, ASKPASS, 0o700);
  const { protocol, host: address } = new URL(host.serverUrl);
  return {
    GIT_ASKPASS: host.askpass,
    FLOTILLA_GIT_ORIGIN: `${protocol}//${address}`,
    FLOTILLA_GIT_ASKED_AS: `${protocol}//x-access-token@${address}`,
    FLOTILLA_GIT_TOKEN: token,
  };
}

/** Serializes work per key, in order of arrival; different keys run in parallel. Not reentrant. */
interface KeyLock {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

function createKeyLock(): KeyLock {
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, work) {
      const before = tails.get(key);
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      tails.set(key, done);
      await before;
      try {
        return await work();
      } finally {
        if (tails.get(key) === done) tails.delete(key);
        finish();
      }
    },
  };
}
