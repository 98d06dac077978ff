import type { TreeFile } from "../ports/worktrees.ts";

/** Files in which a repository instructs agents, each for its directory and all below. */
const NAMES = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"];
const FOR_ALL = [...NAMES, ".github/copilot-instructions.md"];
/** Files for the paths that their `applyTo` names. */
const SCOPED = ".github/instructions";

/** The paths of all these files, as `protectedAmong` and `Worktrees.filesAt` read patterns. */
export const INSTRUCTION_PATTERNS: readonly string[] = [
  ...NAMES.map((name) => `**/${name}`),
  ".github/copilot-instructions.md",
  `${SCOPED}/**/*.instructions.md`,
];

/** The most files of a commit that are known; those that come later by their path are not read. */
export const MOST_FILES = 10_000;
/** The most files with an `applyTo`: each is tried on each path that an agent touches. */
export const MOST_SCOPED = 20;

/** The most files that a repository lists as its instructions. */
export const MOST_LISTED = 20;

export interface InstructionFiles {
  /** For the whole repository, in the order in which they are shown. */
  readonly forAll: readonly TreeFile[];
  readonly scoped: readonly TreeFile[];
  /** By directory. */
  readonly nested: ReadonlyMap<string, readonly TreeFile[]>;
}

export function instructionFiles(files: readonly TreeFile[]): InstructionFiles {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const nested = new Map<string, readonly TreeFile[]>();
  for (const file of files) {
    const { directory, name } = placeOf(file.path);
    if (directory !== "" && NAMES.includes(name))
      nested.set(directory, [...(nested.get(directory) ?? []), file]);
  }
  return {
    forAll: FOR_ALL.flatMap((path) => byPath.get(path) ?? []),
    scoped: files.filter(({ path }) => path.startsWith(`${SCOPED}/`) && path.endsWith(".instructions.md")),
    nested,
  };
}

/** Returns the files of a repository's own list, in its order; null stands for one that is not there. */
export function listedFiles(
  files: readonly TreeFile[],
  paths: readonly string[],
): readonly { readonly path: string; readonly file: TreeFile | null }[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return paths.map((path) => ({ path, file: byPath.get(path) ?? null }));
}

/** Returns the files of the nearest directory, from the path itself upwards, that has some; those for all left out. */
export function nearestFiles(nested: InstructionFiles["nested"], path: string): readonly TreeFile[] {
  for (let at = path; at !== ""; at = placeOf(at).directory) {
    const found = nested.get(at);
    if (found !== undefined) return found;
  }
  return [];
}

function placeOf(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf("/");
  return { directory: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}
