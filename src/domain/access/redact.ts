import { REDACTED, SecretSet } from "./secret-set.ts";

/** Removes secrets from a text. Applying it twice gives the same result. */
export type Redact = (text: string) => string;

/** Also matches a key that is cut off: the rest of a key is as secret as the whole key. */
const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;
const KEY_END = /-----END [A-Z0-9 ]*PRIVATE KEY-----$/;

/** Consumes the whole word where it is no token, so that the pattern does not start again at each `eyJ` in it. */
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
  // "basic knowledge" has no digit, and no ordinary word is this long.
  /(?<=\b(?:bearer|basic)\s{1,3})(?!\[redacted\])(?=[a-z._~+/-]{0,200}[\d=]|[a-z]{20})[\w.~+/=-]{8,}/gi,
  // A password in a URL.
  /(?<=:\/\/[^\s/:@]{0,200}:)(?!\[redacted\]@)[^\s/@]{1,400}(?=@)/g,
];

/**
 * Returns a function that removes the shapes above and these values in every form of `formsOf`. Of a random value each
 * piece of 12 characters is removed too, of others only the whole value, whose pieces may be words. Linear in the text.
 */
export function redactor(secrets: readonly string[]): Redact {
  const set = new SecretSet();
  for (const secret of secrets) set.add(secret);
  return redactorOf(set);
}

/** Returns a function that removes the secrets that are in the set when it is called. */
export function redactorOf(secrets: SecretSet): Redact {
  return (text) =>
    SHAPES.reduce((left, shape) => left.replaceAll(shape, REDACTED), secrets.takeOut(text)).replaceAll(
      WEB_TOKEN,
      (word: string, token?: string) => (token === undefined ? word : REDACTED),
    );
}

/** Characters. No form of a key is longer; a longer run without a space is shown. */
const LONGEST_TOKEN = 65_536;

/**
 * Returns how many characters of a growing text can be redacted and shown now. The rest may begin a secret that is not
 * complete yet, or end one that must be redacted as a whole.
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

/**
 * Returns where the last word begins, or the scheme before a credential; the end of the text when the word is too long.
 */
function lastWord(text: string): number {
  const longest = Math.max(0, text.length - LONGEST_TOKEN);
  let start = text.length;
  while (start > longest && !/\s/.test(text.charAt(start - 1))) start -= 1;
  if (start === longest && longest > 0) return text.length;
  const scheme = SCHEME.exec(text.slice(Math.max(0, start - 40), start));
  return scheme === null ? start : start - scheme[0].length;
}
