import type { Redact } from "../access/redact.ts";

/**
 * Characters that a terminal obeys or nobody sees: controls, bidirectional marks, tags, separators of lines and
 * paragraphs, lone surrogates. Joiners and the emoji variation selector stay, since scripts and emoji need them.
 */
const UNPRINTABLE =
  /(?!\u200C|\u200D|\uFE0F)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the text as one line that is safe for a terminal: line feeds and tabs become spaces, and other unprintable
 * characters are escaped as in JSON, so that a JSON document keeps its meaning. Idempotent.
 */
export function printableLine(text: string): string {
  return text.replaceAll(/(?<![\t\r\n])\r*[\t\n][\t\r\n]*/g, " ").replaceAll(UNPRINTABLE, escaped);
}

function escaped(sign: string): string {
  const units = sign.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}

/**
 * Characters that show nothing and that a model still reads: zero-width ones, directions, tags, variation selectors and
 * fillers, and what Unicode keeps for annotations. Control characters too, except tabs and line ends.
 */
const INVISIBLE = /(?![\t\n])\p{Cc}|\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/gu;

/** The same characters as HTML entities, numeric or named. */
const ENTITY =
  /&(?:#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6})|(?:shy|zwn?j|lrm|rlm|ZeroWidthSpace|NoBreak|NegativeThinSpace|NegativeMediumSpace|NegativeThickSpace|NegativeVeryThinSpace|ApplyFunction|InvisibleTimes|InvisibleComma|af|it|ic));/g;

/** Removes invisible characters; line ends become line feeds. Idempotent. */
export function withoutInvisible(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(INVISIBLE, "")
    .replaceAll(ENTITY, (entity) => (showsNothing(entity) ? " " : entity));
}

/** Returns true for an entity of an invisible character; the pattern's names are all of such characters. */
function showsNothing(entity: string): boolean {
  if (!entity.startsWith("&#")) return true;
  // JavaScript parses `x200b` as a number once a zero precedes it.
  const code = Number(entity.slice(2, -1).replace(/^x/i, "0x"));
  return code <= 0x10ffff && String.fromCodePoint(code).replaceAll(INVISIBLE, "") === "";
}

/** Characters. No text is stored at this length; the rest is not even read. */
const EXAMINED = 262_144;

/**
 * Returns a text of a model or tool as it is stored and shown: no control characters, no secrets, at most `max`
 * characters.
 */
export function cleanText(text: string, redact: Redact, max: number): string {
  const examined = text.length > EXAMINED ? text.slice(0, EXAMINED) : text;
  // Control characters go first: one inside a secret would hide it.
  return truncated(redact(withoutControls(examined)), max, text.length - examined.length);
}

/** Returns a JSON value with every text cleaned; keys are ours and stay. */
export function cleanValue<T>(value: T, clean: (text: string) => string): T;
export function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((one: unknown) => cleanValue(one, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, cleanValue<unknown>(one, clean)]),
  );
}

/** Keeps tabs and line ends. */
function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/(?![\t\n])\p{Cc}/gu, "");
}

function truncated(text: string, max: number, unseen: number): string {
  if (text.length + unseen <= max) return text;
  // Not between the two halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
  const kept = text.slice(0, end);
  return `${kept}… [${text.length + unseen - kept.length} more characters]`;
}
