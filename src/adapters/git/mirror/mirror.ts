import { lstatSync } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keepsWork, Withheld } from "../../../domain/access/level.ts";
import { fullName, type RepositoryRef } from "../../../domain/kernel/repository.ts";
import { credentialEnvironment, type GitHost } from "../process/git-host.ts";
import { type GitAnswer, type GitCall, runGit } from "../process/run-git.ts";
import { mirrorPath } from "../process/worktree-paths.ts";
import { ensureExactFile } from "../worktree/exact-file.ts";
import { clearRefLocks } from "./stale-locks.ts";

/** The mirror's whole configuration. All other settings come from the environment, where agents cannot change them. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[gc]
\tauto = 0
`;

/** Files of a git directory that could change what our commands do or see. */
const UNWANTED = [
  "hooks",
  "commondir",
  "shallow",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "info/sparse-checkout",
];

type Call = Omit<GitCall, "args" | "network"> & { readonly args: readonly string[] };

/** Runs a local command on the mirror, without a work tree. The mirror must exist. */
export async function mirrorGit(host: GitHost, repository: RepositoryRef, call: Call): Promise<GitAnswer> {
  const mirror = mirrorPath(host.dataDir, repository);
  await restoreMirror(mirror);
  return runGit(host, {
    ...call,
    args: [`--git-dir=${mirror}`, ...call.args],
    env: { ...call.env, GIT_COMMON_DIR: mirror },
  });
}

/**
 * Runs a command that contacts the server. `URL` in the arguments is replaced by the repository's address, with its
 * latest known name.
 */
export async function remoteGit(host: GitHost, repository: RepositoryRef, call: Call): Promise<GitAnswer> {
  const level = host.level(repository);
  if (call.args[0] === "push" && keepsWork(level))
    throw new Withheld(level, { name: "push", with: [call.purpose] });
  const mirror = mirrorPath(host.dataDir, repository);
  const url = `${host.serverUrl}/${fullName(repository)}.git`;
  const credential = await credentialEnvironment(host, repository);
  await restoreMirror(mirror);
  return runGit(host, {
    ...call,
    args: [`--git-dir=${mirror}`, ...call.args.map((argument) => (argument === "URL" ? url : argument))],
    env: { ...call.env, ...credential, GIT_COMMON_DIR: mirror },
    network: true,
  });
}

/**
 * Restores the mirror's configuration and removes everything that it must not contain. Done before each command: an
 * unconfined agent can follow its worktree to the mirror and write there.
 */
export async function restoreMirror(mirror: string): Promise<void> {
  await ensureExactFile(join(mirror, "config"), CONFIG, 0o600);
  // There is almost never anything, and a deletion that finds nothing takes far longer than this check.
  const found = UNWANTED.map((name) => join(mirror, name)).filter(
    (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  );
  await Promise.all(found.map((path) => rm(path, { recursive: true, force: true })));
}

/**
 * Creates the mirror if it is missing (empty: a fetch fills it) and clears locks that an earlier process left.
 * Idempotent.
 */
export async function openMirror(host: GitHost, repository: RepositoryRef): Promise<void> {
  const mirror = mirrorPath(host.dataDir, repository);
  await host.locks.run(`mirror:${mirror}`, async () => {
    const complete = await stat(join(mirror, "refs")).catch(() => null);
    if (complete === null || (await stat(join(mirror, "HEAD")).catch(() => null)) === null) {
      await mkdir(dirname(mirror), { recursive: true, mode: 0o700 });
      await runGit(host, {
        args: ["init", "--bare", "--quiet", "--template=", "--initial-branch=none", mirror],
        purpose: "make the mirror",
      });
    }
    await restoreMirror(mirror);
    await clearRefLocks(host, mirror);
  });
}

/**
 * Runs `work` while no fetch into the mirror runs. Take this lock inside the mirror's lock or alone, never around it.
 */
export function withoutFetch<T>(
  host: GitHost,
  repository: RepositoryRef,
  work: () => Promise<T>,
): Promise<T> {
  return host.locks.run(`fetch:${mirrorPath(host.dataDir, repository)}`, work);
}

/** Fetches the server's branches to refs/remotes/origin, never to refs/heads; one fetch at a time per mirror. */
export async function fetchBranches(host: GitHost, repository: RepositoryRef): Promise<void> {
  await withoutFetch(host, repository, () =>
    remoteGit(host, repository, {
      args: [...FETCH, "--prune", "URL", "+refs/heads/*:refs/remotes/origin/*"],
      purpose: `fetch ${fullName(repository)}`,
    }),
  );
}

/** Fetches a commit by its id; no ref of the mirror names it afterwards. */
export async function fetchCommit(host: GitHost, repository: RepositoryRef, commit: string): Promise<void> {
  await withoutFetch(host, repository, () =>
    remoteGit(host, repository, { args: [...FETCH, "URL", commit], purpose: `fetch ${commit}` }),
  );
}

/** Fetches what a ref of the server leads to; no ref of the mirror names it afterwards. The server may lack the ref. */
export async function fetchCommits(host: GitHost, repository: RepositoryRef, ref: string): Promise<void> {
  await withoutFetch(host, repository, () =>
    remoteGit(host, repository, { args: [...FETCH, "URL", ref], purpose: `fetch ${ref}`, answers: [1, 128] }),
  );
}

export const PUSH = ["push", "--no-verify", "--no-recurse-submodules", "--progress", "URL"];

const FETCH = [
  "fetch",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
  "--progress",
];

/** Asks the server for its default branch; null in an empty repository. */
export async function askDefaultBranch(host: GitHost, repository: RepositoryRef): Promise<string | null> {
  const { stdout } = await remoteGit(host, repository, {
    args: ["ls-remote", "--symref", "URL", "HEAD"],
    purpose: `read the default branch of ${fullName(repository)}`,
  });
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout)?.[1] ?? null;
}
