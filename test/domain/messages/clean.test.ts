import * as fc from "fast-check";
import { expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { cleanText, cleanValue } from "../../../src/domain/messages/printable.ts";

const redact = redactor(["our very own secret"]);

it("strips control characters and keeps line ends and tabs", () => {
  expect(cleanText("a\u0000b\u001B[31mc\r\nd\te\u0085f\rg\u007F", redact, 100)).toBe("ab[31mc\nd\tef\ng");
});

it("finds a secret that control characters were put into", () => {
  expect(cleanText("our very\u0000 own\u0007 secret!", redact, 100)).toBe("[redacted]!");
});

it("cuts what is too long and says how much is missing", () => {
  expect(cleanText("x".repeat(100), redact, 100)).toBe("x".repeat(100));
  expect(cleanText("x".repeat(101), redact, 100)).toBe(`${"x".repeat(100)}… [1 more characters]`);
  expect(cleanText("x".repeat(300_000), redact, 10)).toBe(`${"x".repeat(10)}… [299990 more characters]`);
});

it("redacts before it cuts, so that no half of a secret is left", () => {
  expect(cleanText(`${"x".repeat(90)}our very own secret`, redact, 100)).toBe(`${"x".repeat(90)}[redacted]`);
});

it("does not cut a character in two", () => {
  expect(cleanText("ab🙂cd", redact, 3)).toBe("ab… [4 more characters]");
});

it("keeps every text within its bound and the marker", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(cleanText(text, redact, 50).length).toBeLessThan(50 + 30);
    }),
  );
});

it("cleans every text of a value and nothing else", () => {
  const value = { text: "a", list: ["b", 1, null, true], inner: { text: "c" } };
  expect(cleanValue(value, (text) => text.toUpperCase())).toEqual({
    text: "A",
    list: ["B", 1, null, true],
    inner: { text: "C" },
  });
});
