import { z } from "zod";
import { printableLine } from "../messages/printable.ts";
import type { TreeFile } from "../ports/worktrees.ts";

/** Bytes of instructions in one conversation, all files together. */
export const MOST_BYTES = 32 * 1024;
/** Files that a conversation remembers; of further ones nothing is shown. */
export const MOST_GIVEN = 100;

/** A file of instructions or a skill that an agent was shown, or why it was not. */
export const givenFile = z.strictObject({
  path: z.string(),
  /** The hash of its content in git; of a skill, the beginning of its own hash. */
  blob: z.string(),
  /** Bytes that the agent was shown. */
  shown: z.int(),
  /** Why that is not all of it, as the end of a sentence about it; null where it is. */
  note: z.string().nullable(),
  /** Whose skill it is; absent for a file of instructions. */
  skill: z.enum(["operator", "repository"]).optional(),
});
export type GivenFile = z.infer<typeof givenFile>;

/** A file with the part of its text that is shown; empty where none is. */
export interface Shown {
  readonly given: GivenFile;
  readonly text: string;
}

/** Returns why a file's content is not read at all; null where it is. `before` = what was shown already. */
export function unread(file: TreeFile, before: readonly GivenFile[]): string | null {
  if (file.kind !== "file") return `is a ${file.kind} and is not followed`;
  const same = before.find(({ blob, shown }) => blob === file.blob && shown > 0);
  if (same !== undefined) return `is the same as ${same.path}`;
  return bytesLeft(before) === 0
    ? "does not fit: all 32 KiB for instructions are used; read it where it concerns you"
    : null;
}

function bytesLeft(before: readonly GivenFile[]): number {
  return MOST_BYTES - before.reduce((sum, { shown }) => sum + shown, 0);
}

/** Returns a file that is not shown. */
export function leftOut({ path, blob }: Pick<TreeFile, "path" | "blob">, note: string): Shown {
  return { given: { path, blob, shown: 0, note }, text: "" };
}

/** Returns a file that is on a repository's list, and not in the commit. */
export function notThere(path: string): Shown {
  return leftOut({ path, blob: NO_BLOB }, "is listed in .github/flotilla.yml and is not there");
}

/** How git writes that there is no content. */
const NO_BLOB = "0".repeat(40);

/** Returns as much of a file as fits, up to the end of a line. `read` may be only its beginning. */
export function shownOf(file: TreeFile, read: string, before: readonly GivenFile[]): Shown {
  if (read.includes("\0")) return leftOut(file, "is not text");
  const whole = read.trim();
  if (whole === "") return leftOut(file, "is empty");
  const left = bytesLeft(before);
  const encoded = new TextEncoder().encode(whole);
  const isWhole = encoded.length <= left && file.bytes <= left;
  const text = isWhole ? whole : wholeLines(new TextDecoder().decode(encoded.subarray(0, left)));
  const shown = Math.min(left, new TextEncoder().encode(text).length);
  const note = isWhole ? null : `is cut: only ${shown} of its ${file.bytes} bytes fit into 32 KiB`;
  return { given: { path: file.path, blob: file.blob, shown, note }, text };
}

/** Returns the text up to its last line end; of a single line, without a character that was cut apart. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf("\n");
  return end > 0 ? text.slice(0, end) : text.replace(/\uFFFD+$/, "");
}

/** Returns each file once, as it was given last. */
export function latestOfEach(files: readonly GivenFile[]): readonly GivenFile[] {
  return [...new Map(files.map((file) => [`${file.skill ?? ""} ${file.path}`, file])).values()];
}

/** Returns a file as a line for a terminal. */
export function givenWords({ path, blob, note }: GivenFile): string {
  return printableLine(`${path} ${blob.slice(0, 7)}${note === null ? "" : `: ${note}`}`);
}
