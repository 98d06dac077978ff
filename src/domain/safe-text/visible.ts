import { unlessClosed } from "../messages/own-comment.ts";
import { settled } from "./settled.ts";

/** Signs that nobody sees, though a model, a filter or a parser reads them; line ends and tabs stay. */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{FFF0}-\u{FFFB}\u{E0000}-\u{E0FFF}]/gu;

/** Asks for the coloured form of the sign before it; anywhere else it carries hidden bits. */
const COLOURED = "\u{FE0F}";
const STRAY_COLOUR = /(?<!\p{Extended_Pictographic})\u{FE0F}/gu;

/** More marks on one letter than any script puts there: to order them costs the square of their number. */
const PILE = /(\p{M}{30})\p{M}+/gu;

/** Lines by which the host finds its own words again, up to the first `>`. */
const OWN_MARKER = /<!--\s*(?:flotilla:|facts by flotilla)[^>]*>?/gi;
const MARKER_START = /<!--(?=\s*(?:flotilla:|facts by flotilla))/gi;

/**
 * The text as people see it, NFC: without control, zero-width, bidi and tag characters, and without markers of ours.
 * What is left is the same to every reader, and taking it again changes nothing.
 */
export function visibleText(text: string): string {
  return settled(text.toWellFormed(), step);
}

function step(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(UNSEEN, (sign) => (sign === COLOURED ? sign : ""))
    .replaceAll(STRAY_COLOUR, "")
    .replaceAll(PILE, "$1")
    .normalize("NFC")
    .replaceAll(OWN_MARKER, (found) =>
      // One that was cut off before its end begins no comment.
      found.endsWith(">") ? unlessClosed(found) : found.replaceAll(MARKER_START, "(!--"),
    );
}
