import { withoutHiddenCharacters } from "../safe-text/without-hidden-characters.ts";

/** Characters. A longer text is cut. */
const LONGEST = 200;

/**
 * Returns untrusted text as a code span on one line, also within a table: it neither mentions, links nor formats
 * anything.
 */
export function inlineCode(text: string, longest: number = LONGEST): string {
  const flat = withoutHiddenCharacters(text).replace(/\s+/g, " ").trim().replaceAll("`", "'");
  const kept = flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat;
  return `\`${kept.toWellFormed().replace(/(?<!\\)\\*\|/g, "\\|")}\``;
}
