import type { ChangedFile, FileContent, ReadBounds } from "../../../domain/ports/changed-file.ts";
import type { WorktreeRef } from "../../../domain/ports/worktrees.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { assertCommit, assertSafeBranch } from "../process/safe-names.ts";
import { baseTipOf, forkOf } from "./inspect.ts";
import {
  type AskGit,
  entriesOf,
  GONE,
  LINK,
  RAW_DIFF,
  REPOSITORY,
  sizesOf,
  textsOf,
} from "./tree-entries.ts";

/** One side of a changed file, before it is read. */
interface Side {
  readonly mode: string;
  readonly blob: string;
}

/**
 * Reads blobs in the mirror, never the worktree: a link is not followed, and no attribute or filter of the agent has an
 * effect.
 */
export async function readChangedFiles(
  host: GitHost,
  ref: WorktreeRef,
  {
    commit,
    base,
    wanted,
    bounds,
  }: {
    readonly commit: string;
    readonly base: string;
    readonly wanted: (path: string) => boolean;
    readonly bounds: ReadBounds;
  },
): Promise<readonly ChangedFile[]> {
  assertCommit(commit);
  assertSafeBranch(base);
  const git: AskGit = async (args, input) => {
    const call = { args, purpose: "read what the commit changes" };
    return (await mirrorGit(host, ref.repository, input === undefined ? call : { ...call, input })).stdout;
  };
  const from = await forkOf(host, ref, { tip: await baseTipOf(host, ref, base), commit });
  const entries = entriesOf(await git([...RAW_DIFF, from, commit])).filter(({ path }) => wanted(path));
  const files = entries.map(({ path, mode, blob, before, blobBefore }) => ({
    path,
    before: { mode: before, blob: blobBefore },
    after: { mode, blob },
  }));
  const contentOf = await contents(
    git,
    files.flatMap(({ before, after }) => [before, after]),
    { ...bounds, sides: 2 * bounds.files },
  );
  return files.map(({ path, before, after }) => ({
    path,
    before: contentOf(before),
    after: contentOf(after),
  }));
}

/** Reads the sides in their order, as many as the bounds allow. */
async function contents(
  git: AskGit,
  sides: readonly Side[],
  { sides: most, fileBytes, bytes }: { readonly sides: number } & Omit<ReadBounds, "files">,
): Promise<(side: Side) => FileContent | null> {
  const plain = sides.filter(({ mode }) => mode !== GONE && mode !== LINK && mode !== REPOSITORY);
  const blobs = [...new Set(plain.map(({ blob }) => blob))].slice(0, most);
  const sizes = await sizesOf(git, blobs);
  let rest = bytes;
  const read = blobs.filter((blob) => {
    const size = sizes.get(blob) ?? Number.POSITIVE_INFINITY;
    if (size > fileBytes || size > rest) return false;
    rest -= size;
    return true;
  });
  const texts = await textsOf(git, read);
  return ({ mode, blob }) => {
    if (mode === GONE) return null;
    if (mode === LINK) return { kind: "link", id: blob };
    if (mode === REPOSITORY) return { kind: "repository", id: blob };
    const text = texts.get(blob);
    if (text !== undefined)
      return text.includes("\0") ? { kind: "binary", id: blob } : { kind: "text", id: blob, text };
    return { kind: (sizes.get(blob) ?? 0) > fileBytes ? "large" : "beyond", id: blob };
  };
}
