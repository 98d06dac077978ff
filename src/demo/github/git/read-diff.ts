import { git } from "./run.ts";

export interface FileDiff {
  readonly path: string;
  readonly previousPath: string | undefined;
  readonly status: "added" | "removed" | "modified" | "renamed";
  /** Blob id after the change; before it if the file was removed. */
  readonly blob: string;
  readonly additions: number;
  readonly deletions: number;
  /** Hunks in unified format; undefined for a binary file or a file without changed lines. */
  readonly patch: string | undefined;
}

/** Reads the changes between two trees or commits. Follows renames. */
export async function readDiff(directory: string, from: string, to: string): Promise<readonly FileDiff[]> {
  const common = ["diff", "--no-color", "--no-ext-diff", "-M"];
  const [raw, counts, patches] = await Promise.all([
    git(directory, [...common, "--raw", "--no-abbrev", "-z", from, to, "--"]),
    git(directory, [...common, "--numstat", "-z", from, to, "--"]),
    git(directory, [...common, "-p", from, to, "--"]),
  ]);
  const numbers = parseCounts(counts);
  const sections = patches.split(/^diff --git /m).slice(1);
  return parseRaw(raw).map((entry, index) => {
    const { additions, deletions } = numbers[index] ?? { additions: 0, deletions: 0 };
    const section = sections[index] ?? "";
    const start = section.search(/^@@ /m);
    return { ...entry, additions, deletions, patch: start < 0 ? undefined : section.slice(start).trimEnd() };
  });
}

function parseRaw(raw: string): Omit<FileDiff, "additions" | "deletions" | "patch">[] {
  const parts = raw.split("\0");
  const entries: Omit<FileDiff, "additions" | "deletions" | "patch">[] = [];
  let index = 0;
  while (index + 1 < parts.length) {
    const [, , before = "", after = "", letter = ""] = (parts[index] ?? "").split(" ");
    const first = parts[index + 1] ?? "";
    if (letter.startsWith("R")) {
      entries.push({ path: parts[index + 2] ?? "", previousPath: first, status: "renamed", blob: after });
      index += 3;
    } else {
      const status = letter === "A" ? "added" : letter === "D" ? "removed" : "modified";
      entries.push({ path: first, previousPath: undefined, status, blob: letter === "D" ? before : after });
      index += 2;
    }
  }
  return entries;
}

function parseCounts(text: string): { additions: number; deletions: number }[] {
  const parts = text.split("\0");
  const counts: { additions: number; deletions: number }[] = [];
  let index = 0;
  while (index < parts.length && parts[index] !== "") {
    const [added = "", deleted = "", path = ""] = (parts[index] ?? "").split("\t");
    // git prints dashes for a binary file, and puts the two paths of a renamed file into the next two parts.
    counts.push({ additions: Number(added) || 0, deletions: Number(deleted) || 0 });
    index += path === "" ? 3 : 1;
  }
  return counts;
}
