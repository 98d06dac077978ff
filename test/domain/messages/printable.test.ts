import { expect, test } from "vitest";
import { printableLine } from "../../../src/domain/messages/printable.ts";

const HOSTILE =
  "a\u0000\u0007\u001b[2J\u009b31m\u00ad\u061c\u200b\u200e\u202e\u2066\u2069\ufeff\u{e0041}\u{2028}\u2029\ud800b";

test("what a terminal would obey or nobody sees is escaped, and a second time changes nothing", () => {
  const line = printableLine(HOSTILE);
  expect(line).toBe(
    String.raw`a\u0000\u0007\u001b[2J\u009b31m\u00ad\u061c\u200b\u200e\u202e\u2066\u2069\ufeff\udb40\udc41\u2028\u2029\ud800b`,
  );
  expect(printableLine(line)).toBe(line);
});

test("a text is one line: its line feeds and tabs are spaces, and a carriage return erases nothing", () => {
  expect(printableLine("one\r\n\ttwo\nthree\rfour")).toBe(String.raw`one two three\u000dfour`);
});

test("ordinary words of any script stay, with emoji that are joined or coloured", () => {
  const text = "Grüße, 日本語, می‌خواهم, 👨‍👩‍👧 ❤️ → “…” \\u001b";
  expect(printableLine(text)).toBe(text);
});

test("a JSON document keeps its meaning", () => {
  const value = { [HOSTILE]: [HOSTILE, "\n\t\r\u0085"] };
  const line = printableLine(JSON.stringify(value));
  expect(line).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(line)).toEqual(value);
});
