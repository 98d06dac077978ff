import { visibleText } from "../safe-text/visible.ts";

/** Longer ones are cut. */
const LONGEST = 200;

/**
 * Returns text of others as a span of code on one line, also within a table: it neither mentions, links nor formats
 * anything.
 */
export function inlineCode(text: string, longest: number = LONGEST): string {
  const flat = visibleText(text).replace(/\s+/g, " ").trim().replaceAll("`", "'");
  const kept = flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat;
  return `\`${kept.toWellFormed().replace(/(?<!\\)\\*\|/g, "\\|")}\``;
}
