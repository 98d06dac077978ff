/** The changes of one file. */
export interface FileChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** The lines of its patch, without git's header. Empty where git shows no text. */
  readonly lines: readonly string[];
  /** What else happened to the file, such as "new" or "deleted"; empty for a change of its text. */
  readonly what: string;
}

/**
 * Splits a patch of git into its files, in order. `paths` are all changed files: those whose patch was cut away have no
 * lines.
 */
export function changesIn(patch: string, paths: readonly string[]): readonly FileChange[] {
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.trim() !== "");
  return paths.map((path, index) => changeOf(path, parts[index] ?? ""));
}

function changeOf(path: string, part: string): FileChange {
  const all = part.replace(/\n$/, "").split("\n");
  const begin = all.findIndex((line) => line.startsWith("@@"));
  const header = begin < 0 ? all : all.slice(0, begin);
  const lines = begin < 0 ? [] : all.slice(begin);
  return {
    path,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    lines,
    what: whatOf(header),
  };
}

function whatOf(header: readonly string[]): string {
  const has = (start: string) => header.some((line) => line.startsWith(start));
  const kind = has("new file") ? "new" : has("deleted file") ? "deleted" : "";
  return [kind, has("Binary files") ? "binary" : ""].filter((word) => word !== "").join(", ");
}
