import { randomUUID } from "node:crypto";
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

const GONE = "000000";
const LINK = "120000";
const REPOSITORY = "160000";
/** No file system holds a longer one; what is longer or beyond so many is taken to lead out. */
const LONGEST_TARGET = 4096;
const MOST_TARGETS = 5000;

/**
 * Reads what a commit would take in from git's objects alone: nothing in the directory is followed or run. Where
 * the changed files are more than `limit` bytes none is read, and where all files are, the patch is left out.
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
  const changed = async (side: string) =>
    entriesOf(await git([...DIFF, "--raw", "-z", "--no-abbrev", "--ignore-submodules=none", side, tree]));
  const own = await changed(from);
  const sides = await Promise.all(others.map(changed));
  // What the base has already is not new.
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
          // An agent may have committed by itself, and taken out again what would be pushed all the same.
          ...(head === from
            ? []
            : [
                await git([
                  "log",
                  "--reverse",
                  "--format=",
                  // As it was looked at before the commit, when a merge is what it adds to the branch.
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

/** Of a line as `ls-tree` prints it. */
const pathIn = (line: string) => line.slice(line.indexOf("\t") + 1);

const DIFF = ["diff-tree", "-r", "--no-renames"];
const PATCH = ["-p", "--text", "-U0", "--no-ext-diff", "--no-textconv", "--no-renames"];

/** What the server has of the work, as last fetched or pushed, and what comes from elsewhere: the base, what is being merged. */
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
  // Where it is lost, this one says so.
  const head = at ?? (await headOf(host, ref));
  const base = remembered ?? head;
  const merging = await mergedCommits(host, ref, entry);
  const isBelow = pushed !== null && (await isAncestor(host, ref.repository, pushed, head));
  const from = isBelow ? pushed : base;
  const others = [...merging, ...(await committedOf(host, ref, { tip: brought ?? null, head, from }))];
  return { head, from, others: isBelow ? [base, ...others] : others };
}

/** What we brought in of the base, where it is committed and its push has failed: nothing waits in the worktree then. */
async function committedOf(
  host: GitHost,
  { repository }: WorktreeRef,
  { tip, head, from }: { readonly tip: string | null; readonly head: string; readonly from: string },
): Promise<readonly string[]> {
  if (tip === null || (await isAncestor(host, repository, tip, from))) return [];
  return (await isAncestor(host, repository, tip, head)) ? [tip] : [];
}

interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly before: string;
  readonly blob: string;
}

function entriesOf(raw: string): readonly Entry[] {
  const parts = raw.split("\0");
  return parts.flatMap((part, index): readonly Entry[] => {
    const [, before, mode, blob] = /^:(\d{6}) (\d{6}) [0-9a-f]+ ([0-9a-f]+) /.exec(part) ?? [];
    const path = parts[index + 1];
    return before === undefined || mode === undefined || blob === undefined || path === undefined
      ? []
      : [{ path, mode, before, blob }];
  });
}

async function sizesOf(
  git: (args: readonly string[], input: string) => Promise<string>,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (blobs.length === 0) return new Map();
  const told = await git(["cat-file", "--batch-check=%(objectname) %(objectsize)"], `${blobs.join("\n")}\n`);
  return new Map(
    told.split("\n").flatMap((line): readonly (readonly [string, number])[] => {
      const [blob, size] = line.split(" ");
      return blob === undefined || size === undefined ? [] : [[blob, Number(size)]];
    }),
  );
}

/** Returns where links lead, by their blobs. One git reads them all: a process for each would take minutes for thousands. */
async function targetsOf(
  git: (args: readonly string[], input: string) => Promise<string>,
  links: readonly Entry[],
): Promise<ReadonlyMap<string, string>> {
  const blobs = [...new Set(links.map(({ blob }) => blob))].slice(0, MOST_TARGETS);
  if (blobs.length === 0) return new Map();
  // A link may hold any text, but not a word that is made up only now.
  const mark = randomUUID();
  const read = await git(["cat-file", `--batch=${mark} %(objectname)`], `${blobs.join("\n")}\n`);
  return new Map(
    read
      .split(`${mark} `)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return [part.slice(0, end), part.slice(end + 1, -1)] as const;
      }),
  );
}

/** The lines that are new: what is taken out is on the server already. */
function added(patch: string): string {
  return patch
    .split("\n")
    .filter((line) => line.startsWith("+"))
    .map((line) => line.slice(1))
    .join("\n");
}
