import { repeatUntilStable } from "./repeat-until-stable.ts";
import { withoutHiddenCharacters } from "./without-hidden-characters.ts";

/** Characters of a title on GitHub. */
const LONGEST_TITLE = 256;

const CLOSING =
  /(?<![A-Za-z0-9])(close[sd]?|fix(?:e[sd])?|resolve[sd]?)([\s:-]{1,12})((?:[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100})?)(?:#|GH-)(\d+)/gi;

const CLOSING_ADDRESS =
  /(?<![A-Za-z0-9])((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:-]{1,12})https?:\/\/(?=[^\s]{1,300}\/(?:issues|pull)\/\d)/gi;

/** Words for which GitHub skips the checks. */
const SKIPS = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/gi;

/**
 * Makes text without Markdown safe, such as a commit's message or a title (which a squashed merge turns into a
 * message): GitHub reads mentions and closing words in it. `closes` = the issue that closing words may name.
 * Idempotent.
 */
export function safePlain(text: string, closes: number | null): string {
  const step = (given: string) =>
    withoutHiddenCharacters(given)
      .replaceAll(CLOSING, (all, word: string, gap: string, repository: string, number: string) =>
        repository === "" && number === String(closes) && all.includes("#")
          ? all
          : `${word}${gap}issue ${number}${repository === "" ? "" : ` of ${repository}`}`,
      )
      .replaceAll(CLOSING_ADDRESS, "$1")
      .replaceAll(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9])/g, "@ ")
      .replaceAll(SKIPS, "($1)")
      .replaceAll(/^skip-checks[ \t]*:/gim, "skip checks,");
  return repeatUntilStable(text, step);
}

/** Returns the same on one line, cut to the length of a title on GitHub. */
export function safeTitle(text: string, closes: number | null): string {
  const line = safePlain(text.replace(/\s+/g, " ").trim(), closes).replace(/\s+/g, " ").trim();
  return line.length > LONGEST_TITLE
    ? `${line.slice(0, LONGEST_TITLE - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
    : line;
}
