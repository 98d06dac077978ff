import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { isRandom, WORD } from "../../../src/domain/access/secret-forms.ts";
import { foldText } from "../../../src/domain/conversation/fold.ts";

const each = (between: string) => (secret: string) => secret.split("").join(between);
const escaped = (write: (code: number) => string) => (secret: string) =>
  secret
    .split("")
    .map((one) => write(one.charCodeAt(0)))
    .join("");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const rotated = (one: string): string => {
  const first = one < "a" ? 65 : 97;
  return String.fromCharCode(first + ((one.charCodeAt(0) - first + 13) % 26));
};
const base32 = (secret: string): string =>
  [...Buffer.from(secret)]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("")
    .replaceAll(/.{1,5}/g, (bits) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".charAt(parseInt(bits.padEnd(5, "0"), 2)),
    );

/** Ways to write a secret down so that its own characters do not stand side by side. */
const HIDDEN: readonly (readonly [string, (secret: string) => string])[] = [
  ["with spaces", each(" ")],
  ["with dashes", each("-")],
  ["in groups", (secret) => secret.replaceAll(/.{4}/g, "$& – ")],
  ["one character a line", each("\r\n")],
  ["with zero-width spaces", each("\u200b")],
  ["with joiners and marks of direction", each("\u2060\u202e")],
  ["with tag characters", each("\u{e0041}")],
  ["in HTML, decimal", escaped((code) => `&#${code};`)],
  ["in HTML, hexadecimal", escaped((code) => `&#x${code.toString(16)};`)],
  ["with \\u", escaped((code) => `\\u${code.toString(16).padStart(4, "0")}`)],
  ["with \\u{}", escaped((code) => `\\u{${code.toString(16)}}`)],
  ["with \\x", escaped((code) => `\\x${code.toString(16).padStart(2, "0")}`)],
  [
    "with some of it per cent",
    (secret) => secret.replaceAll(/[a-f]/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  ],
  ["in full width", escaped((code) => String.fromCharCode(code + 0xfee0))],
  [
    "in mathematical letters",
    (secret) => secret.replaceAll(/[a-z]/g, (one) => String.fromCodePoint(0x1d5ba + one.charCodeAt(0) - 97)),
  ],
  ["backwards", (secret) => secret.split("").toReversed().join("")],
  [
    "with its cases swapped",
    (secret) => secret.replaceAll(/[a-z]/gi, (one) => (one < "a" ? one.toLowerCase() : one.toUpperCase())),
  ],
  ["by rot13", (secret) => secret.replaceAll(/[a-z]/gi, rotated)],
  ["in base32", base32],
  ["in lower-case base32", (secret) => base32(secret).toLowerCase()],
  ["in base64 twice", (secret) => base64(base64(secret))],
  ["in base64 in lines", (secret) => base64(secret).replaceAll(/.{10}/g, "$&\n")],
];

const secret = fc
  .tuple(fc.nat(), fc.integer({ min: 24, max: 40 }), fc.constantFrom("hex" as const, "base64" as const))
  .map(([seed, length, as]) => createHash("sha512").update(`key ${seed}`).digest(as).slice(0, length))
  .filter((value) => isRandom(value) && !WORD.test(value) && /^[A-Za-z0-9]+$/.test(value));

describe.each(HIDDEN)("a secret %s", (_name, write) => {
  it("is taken out, and the words around it stay", () => {
    fc.assert(
      fc.property(secret, (value) => {
        // Nine capitals in a row read as a word, and lines of words are not joined: a secret in pieces (SECURITY.md).
        fc.pre(!WORD.test(base64(value)));
        const said = redactor([value])(`It is ${write(value)} as you asked.`);
        expect(said).toContain("[redacted]");
        expect([said.slice(0, 6), said.slice(-14)]).toEqual(["It is ", " as you asked."]);
        // Pieces of fewer than five different characters say nothing, and may be left.
        const left = foldText(said.replace("It is", "").replace("as you asked", "")).text.replaceAll(
          "redacted",
          "",
        );
        expect(left.length).toBeLessThanOrEqual(foldText(write(value)).text.length - 4);
      }),
      { numRuns: 30 },
    );
  });
});

const xored = (value: string): string =>
  Buffer.from(Buffer.from(value).map((byte) => byte ^ 0x2a)).toString("hex");
const inBase = (base: number, between: string) => (value: string) =>
  [...Buffer.from(value)].map((byte) => byte.toString(base)).join(between);

/** Looking for these would take ordinary numbers out of texts. Each with the words of SECURITY.md for it. */
const LEFT_OVER: readonly (readonly [string, string, (value: string) => string])[] = [
  ["octal", "octal", inBase(8, " ")],
  ["binary", "binary", inBase(2, " ")],
  ["decimal", "decimal", inBase(10, ",")],
  ["hexadecimal after an exclusive or", "any encoding", xored],
];

describe.each(LEFT_OVER)("a secret in %s", (_name, words, write) => {
  it("is not found, which SECURITY.md says", () => {
    const value = "c0ffee1234Ab9d8e7F6a5b4c";
    expect(redactor([value])(write(value))).toBe(write(value));
    const security = readFileSync(new URL("../../../SECURITY.md", import.meta.url), "utf8");
    const [, row = ""] = /^\| T8 \|(.*)$/m.exec(security) ?? [];
    expect(row.split("|").at(-2)).toContain(words);
  });
});

describe("looking through what parts characters", () => {
  const values = Array.from({ length: 200 }, (_, at) =>
    createHash("sha512")
      .update(`value ${at}`)
      .digest(at % 2 === 0 ? "hex" : "base64")
      .slice(0, 40),
  );

  it.each([
    "package-lock.json",
    "config.example.yaml",
    "docs/operations.md",
    "src/domain/messages/visible-text.ts",
  ])("takes nothing out of %s, whatever 200 secrets are known", (path) => {
    const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
    expect(redactor(values)(text)).toBe(text);
  });

  it("leaves tables of numbers, identifiers and other scripts", () => {
    const numbers = Array.from({ length: 5000 }, (_, at) => String(at * 7919)).join(" ");
    const words =
      "feat_dev_issue_42 550e8400-e29b-41d4-a716-446655440000 日本語テキスト Ünïcödé &amp; %20 \\u00e9 \\d{3} C:\\x64\\100";
    expect(redactor(values)(`${numbers}\n${words}`)).toBe(`${numbers}\n${words}`);
  });

  it("leaves a passphrase's words where they stand apart", () => {
    const text = "the correct horse has a battery, staple of 2024";
    expect(redactor(["correct-horse-battery-staple-of-2024"])(text)).toBe(text);
  });

  it("leaves names of variables that are made of a secret's words", () => {
    const text = "WEBHOOK_SECRET=1 webhook secret of staging";
    expect(redactor(["webhook-secret-of-Staging-2024-7aB3"])(text)).toBe(text);
  });

  it("changes nothing more the second time", () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...HIDDEN.map(([, write]) => write)), (value, write) => {
        const redact = redactor([value]);
        const once = redact(`a ${write(value)} b ${value.slice(3)} c`);
        expect(redact(once)).toBe(once);
      }),
    );
  });

  it.each(["a", "&", "&#x41;", "\\u0041", "%41", "\u200b", "語", "Ａ", "\ud800", "&#", "\\u{"])(
    "takes less than half a second of processor time for 64 KiB of %j",
    (part) => {
      const redact = redactor(values.slice(0, 12));
      const text = part.repeat(Math.ceil(65_536 / part.length));
      redact(text);
      const begun = process.cpuUsage();
      redact(text);
      const { user, system } = process.cpuUsage(begun);
      expect(user + system).toBeLessThan(500_000);
    },
  );

  it("knows where in the text each character stood", () => {
    const text = "x &#65;\u200b\\u0042 Ｃ\u{1d5d7}! &#x20ac; e\ud800";
    const { text: folded, unfold } = foldText(text);
    expect(folded).toBe("xABCDe");
    expect(text.slice(...unfold(1, 5))).toBe("&#65;\u200b\\u0042 Ｃ\u{1d5d7}");
    expect(text.slice(...unfold(0, 1))).toBe("x");
  });
});
