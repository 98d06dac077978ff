import type { PendingFile, PendingWork } from "../../../domain/ports/agent-tables.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { headOf, isAncestor, objectsAt } from "../mirror/commits.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import type { Quarantine } from "../process/quarantine.ts";
import { worktreePathsOf } from "../process/worktree-paths.ts";
import { mergedCommits } from "./commit.ts";
import { withStaged } from "./kept-index.ts";
import { unreadFile } from "./measure.ts";
import type { Staged } from "./staging.ts";
import {
  type AskGit,
  type Entry,
  entriesOf,
  GONE,
  LINK,
  RAW_DIFF,
  REPOSITORY,
  sizesOf,
  textsOf,
} from "./tree-entries.ts";

/**
 * Maximum length of a link's target; no file system holds a longer one. A longer target, or one beyond the maximum
 * number, counts as leading outside.
 */
const LONGEST_TARGET = 4096;
const MOST_TARGETS = 5000;

/**
 * Reads what a commit would include from git's objects alone: follows and runs nothing in the directory. If the changed
 * files have more than `limit` bytes, it reads none of them; if all files have more, it leaves out the patch.
 */
export async function readPending(host: GitHost, ref: WorktreeRef, limit: number): Promise<PendingWork> {
  return withStaged(host, ref, { most: limit, keep: true }, (staged, quarantine) =>
    pendingIn(host, ref, { staged, quarantine, limit }),
  );
}

async function pendingIn(
  host: GitHost,
  ref: WorktreeRef,
  {
    staged: { tree, unread, repositories, refused },
    quarantine,
    limit,
  }: { readonly staged: Staged; readonly quarantine: Quarantine; readonly limit: number },
): Promise<PendingWork> {
  const git = async (args: readonly string[], input?: string) => {
    const call = { args, env: quarantine.env, purpose: "look at what is to be committed" };
    const { stdout } = await mirrorGit(host, ref.repository, input === undefined ? call : { ...call, input });
    return stdout;
  };
  const leftOut = [...repositories, ...refused];
  if (unread.length > 0) {
    const files = unread.map(unreadFile);
    return { tree, files, paths: files.map(({ path }) => path), links: [], patch: "", leftOut };
  }
  const { head, from, others } = await known(host, ref);
  const changed = async (side: string) => entriesOf(await git([...RAW_DIFF, side, tree]));
  const own = await changed(from);
  const sides = await Promise.all(others.map(changed));
  // Entries that the base already has are not new.
  const entries = own.filter(({ path }) => sides.every((side) => side.some((entry) => entry.path === path)));
  const blobs = entries.filter(({ mode }) => mode !== GONE && mode !== REPOSITORY);
  const sizes = await sizesOf(
    git,
    blobs.map(({ blob }) => blob),
  );
  const targets = await targetsOf(
    git,
    entries.filter(({ mode, blob }) => mode === LINK && (sizes.get(blob) ?? 0) <= LONGEST_TARGET),
  );
  const files = entries.map(
    ({ path, mode, before, blob }): PendingFile => ({
      path,
      mode: mode === GONE ? null : mode,
      before: before === GONE ? null : before,
      bytes: sizes.get(blob) ?? 0,
      link: mode === LINK ? (targets.get(blob) ?? "/") : null,
    }),
  );
  const listed = await git(["ls-tree", "-r", "-z", "--full-tree", tree]);
  const all = listed.split("\0").filter((line) => line !== "");
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const patch =
    bytes > limit
      ? ""
      : [
          // An agent may have committed by itself, and removed again content that would still be pushed.
          ...(head === from
            ? []
            : [
                await git([
                  "log",
                  "--reverse",
                  "--format=",
                  // Shows a merge by its changes against the branch, as the merge looked before it was committed.
                  "--diff-merges=first-parent",
                  ...PATCH,
                  head,
                  ...[from, ...others].map((side) => `^${side}`),
                ]),
              ]),
          await git([...DIFF, ...PATCH, head, tree]),
        ].join("\n");
  return {
    tree,
    files,
    paths: all.map(pathIn),
    links: all.filter((line) => line.startsWith(LINK)).map(pathIn),
    patch: added(patch),
    leftOut,
  };
}

/** Returns the path in a line that `ls-tree` prints. */
const pathIn = (line: string) => line.slice(line.indexOf("\t") + 1);

const DIFF = ["diff-tree", "-r", "--no-renames"];
const PATCH = ["-p", "--text", "-U0", "--no-ext-diff", "--no-textconv", "--no-renames"];

/**
 * Returns what the server has of the work, as last fetched or pushed, and the commits that come from elsewhere: the
 * base, and what is being merged.
 */
async function known(
  host: GitHost,
  ref: WorktreeRef,
): Promise<{ readonly head: string; readonly from: string; readonly others: readonly string[] }> {
  const { baseRef, entry, mergingRef, remoteBranchRef } = worktreePathsOf(host.dataDir, ref);
  const named = ["HEAD", baseRef, `${mergingRef}^2`, ...(remoteBranchRef === null ? [] : [remoteBranchRef])];
  const found = await objectsAt(
    host,
    ref,
    named.map((name) => `${name}^{commit}`),
  );
  const [at, remembered, brought, pushed = null] = found;
  // Throws if the head is missing.
  const head = at ?? (await headOf(host, ref));
  const base = remembered ?? head;
  const merging = await mergedCommits(host, ref, entry);
  const isBelow = pushed !== null && (await isAncestor(host, ref.repository, pushed, head));
  const from = isBelow ? pushed : base;
  const others = [...merging, ...(await committedOf(host, ref, { tip: brought ?? null, head, from }))];
  return { head, from, others: isBelow ? [base, ...others] : others };
}

/**
 * Returns the base that we merged, if the merge is committed but its push failed: then no merge waits in the worktree.
 */
async function committedOf(
  host: GitHost,
  { repository }: WorktreeRef,
  { tip, head, from }: { readonly tip: string | null; readonly head: string; readonly from: string },
): Promise<readonly string[]> {
  if (tip === null || (await isAncestor(host, repository, tip, from))) return [];
  return (await isAncestor(host, repository, tip, head)) ? [tip] : [];
}

/** Returns the targets of links, by blob. */
async function targetsOf(git: AskGit, links: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  return textsOf(git, [...new Set(links.map(({ blob }) => blob))].slice(0, MOST_TARGETS));
}

/** Returns the added lines. Removed lines are already on the server. */
function added(patch: string): string {
  return patch
    .split("\n")
    .filter((line) => line.startsWith("+"))
    .map((line) => line.slice(1))
    .join("\n");
}
