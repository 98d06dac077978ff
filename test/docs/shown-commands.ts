import type { Page } from "./pages.ts";

/** A command of a `console` block, and what the page shows after it. */
export interface ShownCommand {
  readonly where: string;
  readonly command: string;
  readonly output: readonly string[];
}

export function shownCommands({ path, blocks }: Page): readonly ShownCommand[] {
  return blocks
    .filter(({ language }) => language === "console")
    .flatMap(({ text, line }) => {
      const found: { where: string; command: string; output: string[] }[] = [];
      for (const [index, one] of text.split("\n").entries())
        if (one.startsWith("$ "))
          found.push({ where: `${path}:${line + index}`, command: one.slice(2), output: [] });
        else found.at(-1)?.output.push(one);
      return found;
    });
}

/** Whether what was printed is what the page shows: `…` alone is any lines, within a line any words. Showing nothing says nothing. */
export function isAsShown(output: readonly string[], printed: string): boolean {
  if (output.length === 0) return true;
  const lines = output.map((line) =>
    line === "…" ? "(?:[^\\n]*\\n)*?" : `${line.split("…").map(plainly).join("[^\\n]*")}\\n`,
  );
  return new RegExp(`^\\s*${lines.join("")}\\s*$`).test(`${printed.trim()}\n`);
}

function plainly(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
