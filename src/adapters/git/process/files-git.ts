import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { GitError, messageOf } from "../../../domain/kernel/errors.ts";
import type { Mount } from "../../../domain/ports/runner.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { clearTheWay } from "../worktree/clear-path.ts";
import { classifyGitError } from "./classify-git-error.ts";
import { isDiskFull } from "./disk-full.ts";
import { filesEnvironment } from "./git-environment.ts";
import { ensureHostDirectories, type GitHost } from "./git-host.ts";
import type { Quarantine } from "./quarantine.ts";
import { answerOf, type GitAnswer, type GitCall } from "./run-git.ts";
import { runProcess } from "./run-process.ts";
import { withEntry } from "./tree-git.ts";
import { type WorktreePaths, worktreePathsOf } from "./worktree-paths.ts";

/** A git command on the files of a worktree. Its paths are the host's; `sightOf` maps what git can see of them. */
export interface FilesCall extends Omit<GitCall, "network"> {
  /**
   * Where git writes objects and the index. Without a quarantine git uses the worktree's own index and writes no new
   * objects.
   */
  readonly quarantine?: Quarantine;
  readonly limitMs?: number;
  /** git is ended after this many lines of output; what it has printed is its answer. */
  readonly mostLines?: number;
}

const LIMIT_MS = 2 * 60_000;

/** Runs git on the agent's files. First makes sure that no file can block git or is hidden from it. */
export async function filesGit(host: GitHost, ref: WorktreeRef, call: FilesCall): Promise<GitAnswer> {
  return host.isolation.whileStill(async () => {
    const pipes = await clearTheWay(worktreePathsOf(host.dataDir, ref).directory);
    if (pipes.length > 0)
      host.log.warn({ worktree: ref.name, pipes: pipes.slice(0, 10) }, "named pipes removed");
    return isolatedGit(host, ref, call);
  });
}

/**
 * Runs git on files that have already been cleared. The agent's processes may replace any file or directory with a link
 * while git works: isolated git cannot see anything that such a link could lead to.
 */
export async function isolatedGit(host: GitHost, ref: WorktreeRef, call: FilesCall): Promise<GitAnswer> {
  await ensureHostDirectories(host);
  const place = worktreePathsOf(host.dataDir, ref);
  return withEntry(host, ref, () => host.isolation.whileStill(() => run(host, place, call)));
}

async function run(host: GitHost, place: WorktreePaths, call: FilesCall): Promise<GitAnswer> {
  const { mounts, inside, outside } = sightOf(host, place, call.quarantine);
  const env = { ...call.quarantine?.env, ...call.env, GIT_COMMON_DIR: place.mirror };
  const command = {
    file: "git",
    args: [`--git-dir=${inside(place.entry)}`, `--work-tree=${place.directory}`, ...call.args],
    cwd: host.isolation.confines ? "/" : host.home,
    env: {
      ...filesEnvironment(host),
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inside(value)])),
    },
  };
  const limitMs = call.limitMs ?? LIMIT_MS;
  const end = await runProcess(await host.isolation.confine(command, mounts), {
    input: call.input ?? "",
    limitMs,
    ...(call.mostLines === undefined ? {} : { mostLines: call.mostLines }),
  }).catch((error: unknown) => {
    throw classifyGitError({
      purpose: call.purpose,
      stderr: messageOf(error),
      code: null,
      cause: error,
      full: isDiskFull(host),
    });
  });
  if (end.cut === "too_many") return { code: 0, stdout: end.stdout, stderr: end.stderr };
  if (end.cut !== null) throw cutOff(call.purpose, end.cut, limitMs);
  return answerOf(host, { ...call, onFiles: true }, { ...end, stderr: outside(end.stderr) });
}

interface Sight {
  readonly mounts: readonly Mount[];
  /** Maps a path of the host to the path that git sees. */
  readonly inside: (path: string) => string;
  /** Replaces the paths that git sees by the host's, in a text that git printed. */
  readonly outside: (text: string) => string;
}

/**
 * Returns what git can see: the files at their own path, and its own data at a random path that no link can name in
 * advance. The mirror is read-only, without the data of other worktrees.
 */
function sightOf(host: GitHost, place: WorktreePaths, quarantine: Quarantine | undefined): Sight {
  if (!host.isolation.confines) return { mounts: [], inside: (path) => path, outside: (text) => text };
  const hidden = `/${randomUUID()}`;
  const [mirror, own] = [`${hidden}/mirror`, `${hidden}/quarantine`];
  const entries = `${mirror}/worktrees`;
  const moved = [
    { from: place.mirror, to: mirror },
    ...(quarantine === undefined ? [] : [{ from: quarantine.directory, to: own }]),
  ];
  return {
    mounts: [
      { from: place.directory, to: place.directory, writable: true },
      { from: place.mirror, to: mirror, writable: false },
      { from: null, to: entries, writable: false },
      { from: place.entry, to: `${entries}/${basename(place.entry)}`, writable: true },
      ...(quarantine === undefined ? [] : [{ from: quarantine.directory, to: own, writable: true }]),
    ],
    inside: (path) => {
      const found = moved.find(({ from }) => path === from || path.startsWith(`${from}/`));
      return found === undefined ? path : `${found.to}${path.slice(found.from.length)}`;
    },
    outside: (text) => moved.reduce((changed, { from, to }) => changed.replaceAll(to, () => from), text),
  };
}

function cutOff(purpose: string, cut: "too_slow" | "too_much", limitMs: number): GitError {
  const why =
    cut === "too_slow"
      ? `git did not end within ${limitMs / 60_000} minutes`
      : "git printed more than it may: there are too many files";
  return new GitError(cut, `could not ${purpose}: ${why}`, {
    consequence: "retry",
    advice: "Look what lies in the worktree, and delete what is too large or too many; it is tried again.",
  });
}
