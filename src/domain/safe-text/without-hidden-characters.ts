import { unlessClosed } from "../messages/own-comment.ts";
import { repeatUntilStable } from "./repeat-until-stable.ts";

/** Characters that nobody sees, though a model, a filter or a parser reads them; line ends and tabs stay. */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{FFF0}-\u{FFFB}\u{E0000}-\u{E0FFF}]/gu;

/** The variation selector for an emoji; after any other character it carries hidden bits. */
const COLOURED = "\u{FE0F}";
const STRAY_COLOUR = /(?<!\p{Extended_Pictographic})\u{FE0F}/gu;

/** More diacritics on one letter than any script uses: normalizing them costs the square of their number. */
const PILE = /(\p{M}{30})\p{M}+/gu;

/** Lines by which the host recognizes its own texts, up to the first `>`. */
const OWN_MARKER = /<!--\s*(?:flotilla:|facts by flotilla)[^>]*>?/gi;
const MARKER_START = /<!--(?=\s*(?:flotilla:|facts by flotilla))/gi;

/**
 * Returns the text as people see it, in NFC: without control, zero-width, bidi and tag characters, and without markers
 * of ours. The result is the same for every reader; idempotent.
 */
export function withoutHiddenCharacters(text: string): string {
  return repeatUntilStable(text.toWellFormed(), step);
}

function step(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(UNSEEN, (sign) => (sign === COLOURED ? sign : ""))
    .replaceAll(STRAY_COLOUR, "")
    .replaceAll(PILE, "$1")
    .normalize("NFC")
    .replaceAll(OWN_MARKER, (found) =>
      // A marker that was cut off before its end begins no comment.
      found.endsWith(">") ? unlessClosed(found) : found.replaceAll(MARKER_START, "(!--"),
    );
}
