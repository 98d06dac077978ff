/** Shorter values would remove ordinary words from ordinary texts. */
const LEAST_SECRET = 8;
/** A shorter line of a key is padding or its rest; it is searched for together with the lines before it. */
const LEAST_KEY_LINE = 32;
const LEAST_RANDOM = 20;
/**
 * The least share of characters whose kind (lower case, upper case, digit) differs from that of the character before.
 */
const LEAST_CHANGES = 0.15;
/** A run of letters of one case that occurs in words and not in random values. */
export const WORD = /[a-z]{9,}|[A-Z]{9,}/;

/**
 * Returns the values to search for: the secret without surrounding white space. For a private key: each long line of
 * its body, and the body as one line, without the first and last line, which all keys share.
 */
export function valuesOf(secret: string): readonly string[] {
  const value = secret.trim();
  if (!value.includes("PRIVATE KEY-----")) return value.length < LEAST_SECRET ? [] : [value];
  const lines = value.split(/\s+|\\[rn]/).filter((line) => /^[A-Za-z0-9+/]+=*$/.test(line));
  // The words of the first and last line are shorter than any usable line of the body.
  const body = lines.filter((line) => line.length >= LEAST_KEY_LINE || line.endsWith("="));
  return [...body, body.join("")].filter((one) => one.length >= LEAST_KEY_LINE);
}

/**
 * Returns true when no piece of 12 characters occurs in ordinary text: at least 20 characters that alternate between
 * lower case, upper case and digits as random ones do. A long secret made of words does not qualify.
 */
export function isRandom(value: string): boolean {
  const kinds = value
    .split("")
    .map((one) => (/[a-z]/.test(one) ? "a" : /[A-Z]/.test(one) ? "A" : /\d/.test(one) ? "0" : ""))
    .filter((kind) => kind !== "");
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return value.length >= LEAST_RANDOM && changes >= LEAST_CHANGES * kinds.length;
}

/**
 * Returns the forms in which the value may occur: plain, JSON, URL (minimally or fully encoded), hexadecimal, base64 at
 * each offset within three bytes without the characters that depend on neighbours, double base64, base32, reversed,
 * swapped case, rot13.
 */
export function formsOf(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  const percent = hex.map((two) => `%${two}`).join("");
  const base64 = [0, 1, 2].map((before) => base64Of(bytes, before));
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      percent,
      percent.toUpperCase(),
      hex.join(""),
      hex.join("").toUpperCase(),
      ...base64,
      ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
      ...[0, 1, 2].map((before) => base64Of(new TextEncoder().encode(btoa(latin(bytes))), before)),
      base32Of(bytes),
      base32Of(bytes).toLowerCase(),
      value.split("").toReversed().join(""),
      // A secret made of words, with its case swapped, reads like the name of an environment variable.
      ...(WORD.test(value) ? [] : [value.replaceAll(/[a-z]/gi, swapped)]),
      value.replaceAll(/[a-z]/gi, rot13),
    ]),
  ];
}

/** Returns the base64 characters that depend on these bytes alone when `before` other bytes precede them. */
function base64Of(bytes: Uint8Array, before: number): string {
  const text = btoa("\0".repeat(before) + latin(bytes));
  const bits = 8 * (before + bytes.length);
  return text.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns base32 without padding, and without the last character where it depends on other bytes too. */
function base32Of(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return [...bits.matchAll(/.{5}/g)].map(([five]) => BASE32.charAt(Number.parseInt(five, 2))).join("");
}

function swapped(letter: string): string {
  return letter < "a" ? letter.toLowerCase() : letter.toUpperCase();
}

function rot13(letter: string): string {
  const first = letter < "a" ? 65 : 97;
  return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26));
}
