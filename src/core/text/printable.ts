/**
 * What a terminal obeys or nobody sees: controls, bidirectional marks, tags, separators of lines and paragraphs, halves of
 * characters. Joiners and the sign for a coloured form stay, since scripts and emoji need them.
 */
const UNPRINTABLE =
  /(?!\u200C|\u200D|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the text as one line that a terminal only shows: line feeds and tabs become spaces, and all else that is
 * unprintable is escaped as JSON escapes it, so that a JSON document keeps its meaning. A second time changes nothing.
 */
export function printableLine(text: string): string {
  return text.replaceAll(/(?<![\t\r\n])\r*[\t\n][\t\r\n]*/g, " ").replaceAll(UNPRINTABLE, escaped);
}

function escaped(sign: string): string {
  const units = sign.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}
