/** Shorter values would take ordinary words out of ordinary texts. */
const LEAST_SECRET = 8;
/** A shorter line of a key is padding or the rest of one; it is looked for with the lines before it. */
const LEAST_KEY_LINE = 32;
const LEAST_RANDOM = 20;
/** So many letters and digits are of another kind than the one before. */
const LEAST_CHANGES = 0.15;
/** Letters of one case that no random value has side by side, and words do. */
export const WORD = /[a-z]{9,}|[A-Z]{9,}/;

/**
 * What is looked for of one secret: the value without the white space around it. Of a private key it is each long line of
 * its body, and the body as one line: its first and last line stand in every key.
 */
export function valuesOf(secret: string): readonly string[] {
  const value = secret.trim();
  if (!value.includes("PRIVATE KEY-----")) return value.length < LEAST_SECRET ? [] : [value];
  const lines = value.split(/\s+|\\[rn]/).filter((line) => /^[A-Za-z0-9+/]+=*$/.test(line));
  // The words of the first and last line are shorter than any line of a body that could be used.
  const body = lines.filter((line) => line.length >= LEAST_KEY_LINE || line.endsWith("="));
  return [...body, body.join("")].filter((one) => one.length >= LEAST_KEY_LINE);
}

/**
 * True when a piece of 12 characters of it stands in no ordinary text: at least 20 characters that change between lower
 * case, upper case and digits as random ones do. Words joined to a long secret do not, and their pieces are words.
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
 * The value as it may stand in a text: plain, in JSON, in a URL (as much of it encoded as must be, or all), in hexadecimal,
 * in base64 wherever it begins within three bytes, without the characters that its neighbours decide too, once and twice,
 * in base32, backwards, with its cases swapped and by rot13.
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
      // The words of a secret are names of variables in capitals.
      ...(WORD.test(value) ? [] : [value.replaceAll(/[a-z]/gi, swapped)]),
      value.replaceAll(/[a-z]/gi, rot13),
    ]),
  ];
}

/** What base64 makes of the bytes alone when so many others stand before them. */
function base64Of(bytes: Uint8Array, before: number): string {
  const text = btoa("\0".repeat(before) + latin(bytes));
  const bits = 8 * (before + bytes.length);
  return text.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Without padding, and without the last character where others decide it too. */
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
