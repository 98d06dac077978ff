import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Level } from "../../../domain/access/level.ts";
import { type AtCrashPoint, neverCrash } from "../../../domain/kernel/crash-points.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Log } from "../../../domain/ports/log.ts";
import type { Isolation } from "../../../domain/ports/runner.ts";
import { ensureExactFile } from "../worktree/exact-file.ts";

/** What every function of this room needs; made once by `createGitHost`. */
export interface GitHost {
  /** Absolute. */
  readonly dataDir: string;
  /** Scheme and host of the GitHub server, without a trailing slash. */
  readonly serverUrl: string;
  /** The one transport that git may use: the scheme of `serverUrl`. */
  readonly protocol: "http" | "https";
  /** A short-lived token that reads and writes the contents of this repository. */
  readonly token: (repository: RepositoryRef) => Promise<string>;
  /** How far Flotilla may go in the repository; nothing is pushed below `draft`. */
  readonly level: (repository: RepositoryRef) => Level;
  readonly log: Log;
  readonly checkoutWorkers: number;
  readonly locks: KeyLock;
  /** An empty directory: HOME and the current directory of every git. */
  readonly home: string;
  /** What lives as long as one operation: quarantines, drafts of bundles. Emptied at start. */
  readonly scratch: string;
  readonly askpass: string;
  readonly isolation: Isolation;
  readonly crashPoint: AtCrashPoint;
}

export interface GitHostOptions {
  readonly dataDir: string;
  readonly serverUrl: string;
  readonly token: (repository: RepositoryRef) => Promise<string>;
  /** How far Flotilla may go in a repository; `merge` everywhere when left out. */
  readonly level?: (repository: RepositoryRef) => Level;
  readonly log: Log;
  /** How git works on files that agents may be changing at that moment. */
  readonly isolation: Isolation;
  /** Parallel processes that write files at a checkout; 2 is best on two cores. */
  readonly checkoutWorkers?: number | undefined;
  readonly crashPoint?: AtCrashPoint;
}

/** Throws a plain Error when `serverUrl` is not an http or https URL. Touches no disk. */
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

/** Makes the host's own directories, HOME empty; the first time without what a process before this one left there. */
export async function ensureHostDirectories(host: GitHost): Promise<void> {
  await mkdir(host.home, { recursive: true, mode: 0o700 });
  await mkdir(host.scratch, { recursive: true, mode: 0o700 });
  const clearing = cleared.get(host) ?? clearScratch(host);
  cleared.set(host, clearing);
  await clearing;
}

async function clearScratch({ scratch, log }: GitHost): Promise<void> {
  for (const name of await readdir(scratch)) {
    const path = join(scratch, name);
    const found = await lstat(path).catch(() => null);
    if (found === null || found.ctimeMs >= performance.timeOrigin) continue;
    log.info({ path }, "removed what an operation left that did not end");
    await rm(path, { recursive: true, force: true });
  }
}

/** Answers git's two credential questions, and only when they are asked for our server. */
const ASKPASS = `#!/bin/sh
case "$1" in
  "Username for '$FLOTILLA_GIT_ORIGIN'"*) printf '%s\\n' x-access-token ;;
  "Password for '$FLOTILLA_GIT_ASKED_AS'"*) printf '%s\\n' "$FLOTILLA_GIT_TOKEN" ;;
  *) exit 1 ;;
esac
`;

/**
 * The environment that lets one git process ask for its credential: a script without a secret in it, and the token
 * in that process's environment only. Checked each time, so that a changed script is never used.
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

/** One at a time per key, in order of arrival; different keys run side by side. Not reentrant. */
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
