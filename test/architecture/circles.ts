import { posix } from "node:path";
import { importsOf, type Source } from "./source.ts";

type Graph = ReadonlyMap<string, readonly string[]>;

/** What each file imports of ours. */
function graphOf(sources: readonly Source[], text: (source: Source) => string): Graph {
  return new Map(
    sources.map((source) => [
      source.path,
      importsOf(text(source))
        .filter((target) => target.startsWith("."))
        .map((target) => posix.join(posix.dirname(source.path), target)),
    ]),
  );
}

/** Groups of files that import one another around a circle, type imports counted; each group sorted. */
export function circles(sources: readonly Source[]): readonly (readonly string[])[] {
  const graph = graphOf(sources, ({ text }) => text);
  // Tarjan: `low` is the earliest file on the path that a file leads back to.
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    path.push(file);
    for (const target of graph.get(file) ?? []) {
      const reached = index.has(target) ? (path.includes(target) ? index.get(target) : own) : visit(target);
      low.set(file, Math.min(low.get(file) ?? own, reached ?? own));
    }
    const lowest = low.get(file) ?? own;
    if (lowest !== own) return lowest;
    const group = path.splice(path.indexOf(file));
    if (group.length > 1) found.push(group.toSorted());
    return lowest;
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}

const TYPE_IMPORT = /^\s*(?:import|export)\s+type\b[^"';]*?\bfrom\s*"[^"]+"/gm;

/** What a file imports apart from types, as written. */
export function valueImportsOf(text: string): readonly string[] {
  return importsOf(text.replaceAll(TYPE_IMPORT, "")).filter((target) => target.startsWith("."));
}

const folder = (path: string) => posix.dirname(path).replace(/^src\//, "");

/** Folders that import one another, type imports apart: `a <-> b`. */
export function mutualFolders(sources: readonly Source[]): readonly string[] {
  const arrows = new Set(
    [...graphOf(sources, ({ text }) => text.replaceAll(TYPE_IMPORT, ""))].flatMap(([file, targets]) =>
      targets.map((target) => `${folder(file)} ${folder(target)}`),
    ),
  );
  return [...arrows]
    .map((arrow) => arrow.split(" "))
    .flatMap(([from = "", to = ""]) =>
      from < to && arrows.has(`${to} ${from}`) ? [`${from} <-> ${to}`] : [],
    )
    .toSorted();
}
