import { codeBlocks } from "./code-blocks.ts";
import { type Reach, safeInline } from "./inline.ts";
import { repeatUntilStable } from "./repeat-until-stable.ts";
import { withoutHiddenCharacters } from "./without-hidden-characters.ts";

/** Characters of a text; GitHub accepts 65,536 including what the host adds. */
export const LONGEST_TEXT = 60_000;

/** Room for the note, and for a fence that is closed after it. */
const ROOM = 1000;

/**
 * Makes an agent's Markdown safe for GitHub: no mentions, images, HTML, commands or invisible characters, no links
 * except to `site`, no closing words except for `closes`, and nothing left open that could include the host's text
 * after it. Unsafe parts become code. Never throws; idempotent. `most` = characters, at least 2000.
 */
export function safeMarkdown(text: string, reach: Reach, most: number = LONGEST_TEXT): string {
  const step = (given: string) => {
    const seen = within(withoutHiddenCharacters(given), most);
    return codeBlocks(seen)
      .map(({ code, lines }) => (code ? lines.join("\n") : safeInline(lines.join("\n"), reach)))
      .join("\n");
  };
  return repeatUntilStable(text, step);
}

function within(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - ROOM).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n\n… (cut: ${text.length - kept.length} characters)`;
}
