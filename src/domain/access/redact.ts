import { REDACTED, SecretSet } from "./secret-set.ts";

/** Takes secrets out of a text. Taking them out twice changes nothing more. */
export type Redact = (text: string) => string;

/** One that is cut off too: what is left of a key is as secret as the whole. */
const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;
const KEY_END = /-----END [A-Z0-9 ]*PRIVATE KEY-----$/;

/** With the whole word where it is none, so that it is not looked at from each `eyJ` in it again. */
const WEB_TOKEN = /\beyJ([\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})?[\w-]*/g;

/** The known shapes of tokens and keys, each linear in the text. */
const SHAPES: readonly RegExp[] = [
  PRIVATE_KEY,
  /gh[pousr]_[A-Za-z0-9][A-Za-z0-9._-]{15,}/g,
  /github_pat_\w{20,}/g,
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}/g,
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /(?<=authorization["']{0,2}\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)\s{1,3})(?!\[redacted\])[\w.~+/=-]{8,}/gi,
  // Basic knowledge has no digits, and no word is as long.
  /(?<=\b(?:bearer|basic)\s{1,3})(?!\[redacted\])(?=[a-z._~+/-]{0,200}[\d=]|[a-z]{20})[\w.~+/=-]{8,}/gi,
  // A password in a URL.
  /(?<=:\/\/[^\s/:@]{0,200}:)(?!\[redacted\]@)[^\s/@]{1,400}(?=@)/g,
];

/**
 * For the shapes above and for these values in every form of `formsOf`. Of random ones each piece of 12 characters is
 * taken out too, of others the whole value only: a piece of those may be a word. Linear in the text.
 */
export function redactor(secrets: readonly string[]): Redact {
  const set = new SecretSet();
  for (const secret of secrets) set.add(secret);
  return redactorOf(set);
}

/** Returns the same for the secrets that are in the set at that moment. */
export function redactorOf(secrets: SecretSet): Redact {
  return (text) =>
    SHAPES.reduce((left, shape) => left.replaceAll(shape, REDACTED), secrets.takeOut(text)).replaceAll(
      WEB_TOKEN,
      (word: string, token?: string) => (token === undefined ? word : REDACTED),
    );
}

/** No key is longer in any form; a run without a space that is longer is let go. */
const LONGEST_TOKEN = 65_536;

/**
 * How much of a text that still grows can be redacted and shown now: the rest may be the beginning of a secret whose end
 * has not come yet, or the end of one that must not be parted from its beginning.
 */
export function settledLength(text: string): number {
  const opening = /-----BEGIN [A-Z0-9 ]*-{0,5}$/.exec(text)?.index ?? text.length;
  let settled = Math.min(opening, lastWord(text));
  for (const { index, 0: key } of text.matchAll(PRIVATE_KEY)) {
    const open = !KEY_END.test(key);
    if (index < settled && (open || index + key.length > settled)) settled = index;
  }
  return settled;
}

const SCHEME =
  /(?:\bauthorization["']{0,2}\s{0,3}[:=]\s{0,3}["']?)?\b(?:bearer|basic|token)\s{1,3}$|\bauthorization["']{0,2}\s{0,3}[:=]?\s{0,3}$/i;

/** Where the last word begins, with the scheme before it where it is a credential; the end of the text when it is too long. */
function lastWord(text: string): number {
  const longest = Math.max(0, text.length - LONGEST_TOKEN);
  let start = text.length;
  while (start > longest && !/\s/.test(text.charAt(start - 1))) start -= 1;
  if (start === longest && longest > 0) return text.length;
  const scheme = SCHEME.exec(text.slice(Math.max(0, start - 40), start));
  return scheme === null ? start : start - scheme[0].length;
}
