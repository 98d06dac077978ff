import { constants } from "node:fs";
import { lstat, open, opendir, rename } from "node:fs/promises";
import { inDirectory, makeOwnDirectory, openRegularFile } from "../process/agent-files.ts";
import type { RemoveTree } from "../runtime-entry.ts";

/** Entries that are looked at in all, and files of one conversation: an agent could make any number. */
const MOST_ENTRIES = 10_000;
const MOST_FILES = 1000;
/** Of a longer file the end is searched. */
const MOST_SEARCHED = 32 * 1024 * 1024;
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** A pattern of `Preset.conversation.files`, segment by segment. */
type Pattern = readonly RegExp[];

/** Turns the patterns of a preset into those of one conversation. `id` is the agent's own, which it may have chosen badly. */
export function patternsOf(files: readonly string[], id: string): readonly Pattern[] {
  return files.map((file) => file.split("/").map((segment) => segmentOf(segment, id)));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function segmentOf(segment: string, id: string): RegExp {
  const parts = segment
    .split("{id}")
    .map((part) => part.split("*").map(escaped).join("[^/]*"))
    .join(escaped(id));
  // A name that is itself a way up is none of a conversation's.
  return new RegExp(`^(?!\\.{1,2}$)${parts}$`);
}

/** Returns whether a path below the base directory is one of the conversation's. */
export function isOfConversation(path: string, patterns: readonly Pattern[]): boolean {
  const segments = path.split("/");
  return patterns.some(
    (pattern) =>
      pattern.length === segments.length && pattern.every((one, at) => one.test(segments[at] ?? "")),
  );
}

/** Returns the conversation's files, as paths below the base directory. Follows no link. */
export async function conversationFiles(
  base: string,
  patterns: readonly Pattern[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  const left = { entries: MOST_ENTRIES };
  for (const pattern of patterns) {
    let directories: readonly string[][] = [[]];
    for (const [at, segment] of pattern.entries()) {
      const isLast = at === pattern.length - 1;
      const below: string[][] = [];
      for (const directory of directories)
        for (const name of await entries(base, directory, { segment, areFiles: isLast, left }))
          if (isLast) found.add([...directory, name].join("/"));
          else below.push([...directory, name]);
      directories = below.slice(0, MOST_FILES);
    }
  }
  return [...found].slice(0, MOST_FILES).toSorted();
}

/** Returns the names in a directory that match and are files, or directories; none where it cannot be read. */
async function entries(
  base: string,
  names: readonly string[],
  {
    segment,
    areFiles,
    left,
  }: { readonly segment: RegExp; readonly areFiles: boolean; readonly left: { entries: number } },
): Promise<readonly string[]> {
  const found: string[] = [];
  await inDirectory(base, names, async (path) => {
    for await (const entry of await opendir(path)) {
      left.entries -= 1;
      if (left.entries < 0) return;
      const isOne = areFiles ? entry.isFile() : entry.isDirectory();
      if (isOne && segment.test(entry.name)) found.push(entry.name);
    }
  }).catch(() => undefined);
  return found;
}

/** Runs `work` with each of the files; leaves out what is no regular file any more. */
export async function eachFile(
  base: string,
  files: readonly string[],
  work: (file: Awaited<ReturnType<typeof openRegularFile>>, path: string) => Promise<void>,
): Promise<void> {
  for (const path of files) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    await inDirectory(base, names, async (directory) => {
      const file = await openRegularFile(`${directory}/${last}`);
      try {
        await work(file, path);
      } finally {
        await file.close();
      }
    }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }
}

/** Returns those of the texts that a file holds; in lines of JSON they count once their line is whole. */
export async function textsIn(
  file: Awaited<ReturnType<typeof openRegularFile>>,
  path: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const { size } = await file.stat();
  const length = Math.min(size, MOST_SEARCHED);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const read = buffer.subarray(0, bytesRead);
  const whole = path.endsWith(".jsonl") ? read.subarray(0, read.lastIndexOf("\n") + 1) : read;
  return texts.filter((text) => whole.includes(text));
}

/** Gives the files the names that `nameOf` says, each in its directory; one that lies there already stays. Follows no link. */
export async function renameFiles(
  base: string,
  files: readonly string[],
  nameOf: (name: string) => string,
): Promise<void> {
  for (const path of files) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    const name = nameOf(last);
    await inDirectory(base, names, async (directory) => {
      const isThere = await lstat(`${directory}/${name}`).catch(() => null);
      if (isThere === null) await rename(`${directory}/${last}`, `${directory}/${name}`);
    });
  }
}

/** Writes a file below the base directory, with its directories, in place of whatever an agent has put there. */
export async function writeBelow(
  base: string,
  path: string,
  text: string | Uint8Array,
  removeTree: RemoveTree,
): Promise<void> {
  const names = path.split("/");
  const last = names.pop() ?? "";
  for (const [at, name] of names.entries())
    await inDirectory(base, names.slice(0, at), (directory) => makeOwnDirectory(`${directory}/${name}`));
  await inDirectory(base, names, async (directory) => {
    const target = `${directory}/${last}`;
    await removeTree(target);
    await writeNew(target, text);
  });
}

async function writeNew(path: string, text: string | Uint8Array): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

function isGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ("code" in error && ["ENOENT", "ENOTDIR", "ELOOP"].includes(String(error.code))) ||
    error.message === "it is not a regular file"
  );
}
