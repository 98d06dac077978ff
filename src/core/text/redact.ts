/** Takes secrets out of a text. Taking them out twice changes nothing more. */
export type Redact = (text: string) => string;

const REDACTED = "[redacted]";

/** Shorter ones would take ordinary words out of ordinary texts. */
const LEAST_SECRET = 8;

/** One that is cut off too: what is left of a key is as secret as the whole. */
const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g;
const KEY_END = /-----END [A-Z0-9 ]*PRIVATE KEY-----$/;

/** The known shapes of tokens and keys, each linear in the text. */
const SHAPES: readonly RegExp[] = [
  PRIVATE_KEY,
  /gh[pousr]_[A-Za-z0-9][A-Za-z0-9._-]{15,}/g,
  /github_pat_\w{20,}/g,
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}/g,
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
  /(?<=\b(?:bearer|basic)\s{1,3})(?!\[redacted\])[A-Za-z0-9._~+/=-]{8,}/gi,
  // A password in a URL.
  /(?<=:\/\/[^\s/:@]{0,200}:)(?!\[redacted\]@)[^\s/@]{1,400}(?=@)/g,
];

/** For the shapes above and for these values word for word, as they stand in a text, in JSON and in a URL. */
export function redactor(secrets: readonly string[]): Redact {
  const forms = secrets
    .flatMap((secret) => [secret, secret.trim()])
    .filter((secret) => secret.length >= LEAST_SECRET)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first: a secret may be the beginning of another.
  const literals = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  return (text) => {
    const known = literals.reduce((left, literal) => left.replaceAll(literal, REDACTED), text);
    return SHAPES.reduce((left, shape) => left.replaceAll(shape, REDACTED), known);
  };
}

/** Beyond this a run without a space is no token. */
const LONGEST_TOKEN = 4000;

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

/** Where the last word begins, with the scheme before it where it is a credential; the end of the text when it is too long. */
function lastWord(text: string): number {
  const longest = Math.max(0, text.length - LONGEST_TOKEN);
  let start = text.length;
  while (start > longest && !/\s/.test(text.charAt(start - 1))) start -= 1;
  if (start === longest && longest > 0) return text.length;
  const scheme = /\b(?:bearer|basic)\s{1,3}$/i.exec(text.slice(Math.max(0, start - 12), start));
  return scheme === null ? start : start - scheme[0].length;
}
