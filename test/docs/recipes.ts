import { PAGES, type Page } from "./pages.ts";

/** One change of docs/developing.md: a whole new file, or places in a file that are written again. */
export interface Change {
  /** Where it stands on the page. */
  readonly where: string;
  readonly path: string;
  readonly text: string | null;
  readonly places: readonly { readonly old: string; readonly now: string }[];
}

/** Of the page that shows additions: what it changes, in order, and the commands that show that it works. */
export function recipesOf({ path: page, blocks }: Page): {
  readonly changes: readonly Change[];
  readonly commands: readonly string[];
} {
  return {
    changes: blocks.flatMap(({ language, text, line }): readonly Change[] => {
      const [head = "", ...rest] = text.split("\n");
      const where = `${page}:${line}`;
      if (language === "ts")
        return [{ where, path: head.replace("// ", ""), text: `${rest.join("\n")}\n`, places: [] }];
      if (language !== "diff") return [];
      return [{ where, path: head.replace("--- ", ""), text: null, places: placesOf(rest) }];
    }),
    commands: blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) => line.startsWith("npx vitest ") || line.startsWith("npx tsc ")),
  };
}

function placesOf(lines: readonly string[]): Change["places"] {
  return lines
    .join("\n")
    .split("\n@@\n")
    .map((place) => {
      const all = place.split("\n");
      const without = (sign: string): string =>
        all
          .filter((line) => !line.startsWith(sign))
          .map((line) => line.slice(1))
          .join("\n");
      return { old: without("+"), now: without("-") };
    });
}

/** The file with the change made. Throws where the place is not there exactly once: then the page is to be fixed. */
export function changed(change: Change, before: string | null): string {
  const { where, path, text, places } = change;
  if (text !== null) {
    if (before !== null) throw new Error(`${where}: ${path} is there already`);
    return text;
  }
  if (before === null) throw new Error(`${where}: ${path} is not there`);
  return places.reduce((so, { old, now }) => {
    const lines = so.split("\n");
    const long = old.split("\n").length;
    const at = lines
      .keys()
      .filter((from) => lines.slice(from, from + long).join("\n") === old)
      .toArray();
    const [first = 0] = at;
    if (at.length !== 1) throw new Error(`${where}: these lines are ${at.length} times in ${path}:\n${old}`);
    return lines.toSpliced(first, long, now).join("\n");
  }, before);
}

export const DEVELOPING: Page = PAGES.find(({ path }) => path === "docs/developing.md") ?? missing();

function missing(): never {
  throw new Error("docs/developing.md is not there");
}
