import type { Redact } from "../access/redact.ts";
import { protectedFiles } from "../evidence/protected-paths.ts";
import { lowerBound } from "../kernel/lower-bound.ts";
import type { PendingFile, PendingWork } from "../ports/agent-tables.ts";

/** Why a commit is held until a person has approved exactly these files; empty without a reason. */
export interface HeldWork {
  /**
   * False where the work contains a secret, or too much to search for one: then not even a checkpoint of it leaves the
   * host.
   */
  readonly mayLeave: boolean;
  /** One for each thing that a person should see. */
  readonly reasons: readonly { readonly path: string; readonly why: string }[];
}

/** More in one commit is more than a person reads, or than GitHub handles well (it warns at 50 MiB a file). */
export const MOST_FILES = 1000;
export const MOST_FILE_BYTES = 5 * 1024 * 1024;
export const MOST_BYTES = 20 * 1024 * 1024;

/** Replaces a path. */
const ALL = "the change";

const LINK = "120000";
const REPOSITORY = "160000";

const TRICKY = "a name that git or a file system reads as another one";
const TWIN = "a name that differs from another one only in upper and lower case";
/** How many merely odd names are shown, and how many characters of each. */
const MOST_ODD = 5;
const LONGEST_ODD = 100;
/** Characters of the stored question; see `HeldText`. */
const LONGEST_TEXT = 3500;

/** Judges the content of a commit before it is made. */
export function heldWork(work: PendingWork, protectedPaths: readonly string[], redact: Redact): HeldWork {
  const { files, patch } = work;
  const elsewhere = files.filter(({ mode }) => mode === LINK || mode === REPOSITORY);
  const guarded = new Set(protectedFiles(pathsOf(files), protectedPaths, new Set(pathsOf(elsewhere))));
  const twins = twinsOf(work);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const stays = files.some(({ mode }) => mode === LINK) ? staysIn(work) : null;
  const why = (file: PendingFile): readonly string[] => [
    ...(guarded.has(file.path) ? ["a protected path"] : []),
    ...(file.mode === LINK && stays?.(file) === false ? ["a link that leads out of the repository"] : []),
    ...(file.mode === REPOSITORY || isName(file.path, ".gitmodules")
      ? ["another repository within this one"]
      : []),
    ...(file.bytes > MOST_FILE_BYTES ? [`${mebibytes(file.bytes)} MiB in one file`] : []),
    ...(file.mode !== null && isTricky(file.path) ? [TRICKY] : []),
    ...(twins.has(file.path) ? [TWIN] : []),
  ];
  const secret =
    files.some(({ path, link }) => isSecret(`${path}\n${link ?? ""}`, redact)) || isSecret(patch, redact);
  return {
    mayLeave: !secret && bytes <= MOST_BYTES,
    reasons: [
      ...(secret ? [{ path: ALL, why: "something in it looks like a secret" }] : []),
      ...files.flatMap((file) => why(file).map((reason) => ({ path: file.path, why: reason }))),
      ...(files.length > MOST_FILES ? [{ path: ALL, why: `${files.length} files in one commit` }] : []),
      ...(bytes > MOST_BYTES ? [{ path: ALL, why: `${mebibytes(bytes)} MiB in one commit` }] : []),
    ],
  };
}

const pathsOf = (files: readonly PendingFile[]) => files.map(({ path }) => path);

const isSecret = (text: string, redact: Redact) => redact(text) !== text;

const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);

/**
 * Returns a test whether a link leads only to a regular file or directory of the tree, through regular directories of
 * the tree. A path outside the tree may be anything on the disk, and another link may lead anywhere.
 */
function staysIn({ paths, links }: PendingWork): (file: PendingFile) => boolean {
  const linked = new Set(links);
  // Parents of paths are not listed: deep paths would fill the memory.
  const sorted = paths.toSorted((one, other) => (one < other ? -1 : 1));
  const isKnown = (target: string) => {
    const first = sorted[lowerBound(sorted, target)];
    const below = `${target}/`;
    return (
      (first === target && !linked.has(target)) ||
      sorted[lowerBound(sorted, below)]?.startsWith(below) === true
    );
  };
  return ({ path, link }) => {
    const steps = (link || "/").split("/").filter((step) => step !== ".");
    const found = steps.findIndex((step) => step !== "..");
    const ups = found === -1 ? steps.length : found;
    const from = path.split("/").slice(0, -1);
    // An empty step makes the path absolute, or is its end; a later `..` leaves a directory that may be a link.
    const down = steps.slice(ups, steps.at(-1) === "" ? -1 : undefined);
    if (ups > from.length || down.some((step) => step === "" || step === "..")) return false;
    const target = [...from.slice(0, from.length - ups), ...down].join("/");
    return target === "" || isKnown(target);
  };
}

const isName = (path: string, name: string) => path.split("/").at(-1)?.toLowerCase() === name;

/**
 * Returns true for a name with a control or invisible character, or a form of `.git` that some file system treats as
 * `.git`.
 */
function isTricky(path: string): boolean {
  return /[\p{Cc}\p{Cf}]|(^|\/)(\.git[ .]*|git~\d+)(\/|$)/iu.test(path);
}

/** Returns new paths that differ only in case from another path of the tree. */
function twinsOf({ files, paths }: PendingWork): ReadonlySet<string> {
  const counted = new Map<string, number>();
  for (const path of paths) counted.set(path.toLowerCase(), (counted.get(path.toLowerCase()) ?? 0) + 1);
  const fresh = files.filter(({ mode, before }) => mode !== null && before === null);
  return new Set(fresh.map(({ path }) => path).filter((path) => (counted.get(path.toLowerCase()) ?? 0) > 1));
}

/** What a person reads about held work. `isWhole` is false where it leaves out what nobody may approve unseen. */
export interface HeldText {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Returns a line for each reason, and what is approved, by path. Merely odd names come last and are limited, so that no
 * number of them hides the rest.
 */
export function heldText({ reasons }: HeldWork): HeldText {
  const isOdd = (why: string) => why === TRICKY || why === TWIN;
  const named = reasons.filter(({ why }) => !isOdd(why)).map(({ path, why }) => line(path, why));
  const odd = [TRICKY, TWIN].flatMap((kind) => {
    const paths = reasons.filter(({ why }) => why === kind).map(({ path }) => path);
    const more = paths.length - MOST_ODD;
    return [
      ...paths.slice(0, MOST_ODD).map((path) => line(path.slice(0, LONGEST_ODD), kind)),
      ...(more > 0 ? [`${more} more: ${kind}`] : []),
    ];
  });
  const text = [...named, ...odd].join("\n");
  if (text.length <= LONGEST_TEXT) return { text, isWhole: true };
  return { text: `${text.slice(0, LONGEST_TEXT)} …`, isWhole: named.join("\n").length <= LONGEST_TEXT };
}

const line = (path: string, why: string) => `${JSON.stringify(path)}: ${why}`;
