import { expect, test } from "vitest";
import { csvLine } from "../../../src/domain/messages/format.ts";

test("numbers and plain texts stand as they are, and nothing is an empty cell", () => {
  expect(csvLine(["acme/app#42", 3, -0.5, null, "a b"])).toBe("acme/app#42,3,-0.5,,a b");
});

test("texts with commas, quotes and line ends are quoted", () => {
  expect(csvLine(["a,b", 'say "x"', "a\nb", "a\rb"])).toBe('"a,b","say ""x""","a\nb","a\rb"');
});

test.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])(
  "a text that a spreadsheet would run is shown and not run: %j",
  (text) => {
    expect(csvLine([text])).toBe(`"'${text}"`);
  },
);
