/**
 * Characters that show nothing and are read all the same: zero-width ones, directions, tags, variation selectors and
 * fillers, and what Unicode keeps for annotations. Control characters too, but tabs and line ends.
 */
const INVISIBLE = /(?![\t\n])\p{Cc}|\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/gu;

/** The same written as HTML: by number, or by the names that HTML knows. */
const ENTITY =
  /&(?:#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6})|(?:shy|zwn?j|lrm|rlm|ZeroWidthSpace|NoBreak|NegativeThinSpace|NegativeMediumSpace|NegativeThickSpace|NegativeVeryThinSpace|ApplyFunction|InvisibleTimes|InvisibleComma|af|it|ic));/g;

/** Without what nobody sees. Line ends become line feeds. A second time changes nothing. */
export function withoutInvisible(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(INVISIBLE, "")
    .replaceAll(ENTITY, (entity) => (showsNothing(entity) ? " " : entity));
}

/** The names are of such characters alone. */
function showsNothing(entity: string): boolean {
  if (!entity.startsWith("&#")) return true;
  // JavaScript reads `x200b` as a number once a zero stands before it.
  const code = Number(entity.slice(2, -1).replace(/^x/i, "0x"));
  return code <= 0x10ffff && String.fromCodePoint(code).replaceAll(INVISIBLE, "") === "";
}
