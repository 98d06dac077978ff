import { codeBlocks } from "./code-blocks.ts";
import { type Reach, safeInline } from "./inline.ts";
import { settled } from "./settled.ts";
import { visibleText } from "./visible.ts";

/** Characters of a text; GitHub takes 65,536 with what the host adds. */
export const LONGEST_TEXT = 60_000;

/** Room for the note, and for a fence that is closed after it. */
const ROOM = 1000;

/**
 * Markdown of an agent as it may stand on GitHub: it mentions nobody, closes nothing but `closes`, shows no image, leads
 * nowhere but to `site`, holds no HTML, no command and nothing unseen, and leaves nothing open that could swallow what
 * the host writes after it. What would reach further is shown as code. Total; done again it changes nothing.
 * `most` = characters, at least 2000.
 */
export function safeMarkdown(text: string, reach: Reach, most: number = LONGEST_TEXT): string {
  const step = (given: string) => {
    const seen = within(visibleText(given), most);
    return codeBlocks(seen)
      .map(({ code, lines }) => (code ? lines.join("\n") : safeInline(lines.join("\n"), reach)))
      .join("\n");
  };
  return settled(text, step);
}

function within(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - ROOM).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n\n… (cut: ${text.length - kept.length} characters)`;
}
