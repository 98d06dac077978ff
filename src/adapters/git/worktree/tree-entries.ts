import { randomUUID } from "node:crypto";

export const GONE = "000000";
export const LINK = "120000";
export const REPOSITORY = "160000";

/** Arguments that list what differs between two trees, for `entriesOf`. */
export const RAW_DIFF = [
  "diff-tree",
  "-r",
  "--no-renames",
  "--raw",
  "-z",
  "--no-abbrev",
  "--ignore-submodules=none",
] as const;

/** Asks git in the mirror; returns what it prints. */
export type AskGit = (args: readonly string[], input?: string) => Promise<string>;

/** A path that differs between two trees: its modes and blobs in both; mode `GONE` where a tree lacks it. */
export interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly before: string;
  readonly blob: string;
  readonly blobBefore: string;
}

export function entriesOf(raw: string): readonly Entry[] {
  const parts = raw.split("\0");
  return parts.flatMap((part, index): readonly Entry[] => {
    const [, before, mode, blobBefore, blob] = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) /.exec(part) ?? [];
    const path = parts[index + 1];
    return before === undefined ||
      mode === undefined ||
      blobBefore === undefined ||
      blob === undefined ||
      path === undefined
      ? []
      : [{ path, mode, before, blob, blobBefore }];
  });
}

export async function sizesOf(git: AskGit, blobs: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (blobs.length === 0) return new Map();
  const told = await git(["cat-file", "--batch-check=%(objectname) %(objectsize)"], `${blobs.join("\n")}\n`);
  return new Map(
    told.split("\n").flatMap((line): readonly (readonly [string, number])[] => {
      const [blob, size] = line.split(" ");
      return blob === undefined || size === undefined ? [] : [[blob, Number(size)]];
    }),
  );
}

/** Returns texts by blob. A single git process reads them all: one process each would take minutes for thousands. */
export async function textsOf(git: AskGit, blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (blobs.length === 0) return new Map();
  // A blob may contain any text, but not a random word that did not exist before.
  const separator = randomUUID();
  const read = await git(["cat-file", `--batch=${separator} %(objectname)`], `${blobs.join("\n")}\n`);
  return new Map(
    read
      .split(`${separator} `)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return [part.slice(0, end), part.slice(end + 1, -1)] as const;
      }),
  );
}
