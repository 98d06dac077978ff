import { expect, it } from "vitest";
import { AnswerValues } from "../../../../src/adapters/runtimes/gateway/answer-values.ts";

const bytes = (text: string) => Buffer.from(text);

/** Reads a text that comes in chunks of `size` bytes. */
function read(text: string, size: number): readonly object[] {
  const values = new AnswerValues();
  const all = bytes(text);
  const found: object[] = [];
  for (let at = 0; at < all.length; at += size) found.push(...values.add(all.subarray(at, at + size)));
  return [...found, ...values.end()];
}

it.each([1, 2, 3, 7, 1000])("events in chunks of %d bytes are read, whatever ends their lines", (size) => {
  const text =
    'data: {"a":"ü✓😀"}\n\nevent: x\r\ndata: {"b":\r\ndata: 2}\r\n\r\ndata: {"c":3}\r\rdata: [DONE]\n\n';
  expect(read(text, size)).toEqual([{ a: "ü✓😀" }, { b: 2 }, { c: 3 }]);
});

it.each([1, 5, 1000])("one JSON text in chunks of %d bytes is read at its end", (size) => {
  expect(read('\n {\n "a": "\\ndata: {}",\r\n "b": 2\n}\n', size)).toEqual([{ a: "\ndata: {}", b: 2 }]);
});

it.each([1, 4, 1000])(
  "events after something that looks like JSON are read in chunks of %d bytes",
  (size) => {
    expect(read('{}\n\ndata: {"a":1}\n\n', size)).toEqual([{ a: 1 }]);
  },
);

it("a line without an end is looked at once, and given up where it is too long", () => {
  const values = new AnswerValues();
  const piece = bytes("x".repeat(1024));
  values.add(bytes("data: "));
  let pieces = 0;
  while (!values.gaveUp) {
    values.add(piece);
    pieces += 1;
  }
  expect(pieces).toBe(16 * 1024);
  expect(values.end()).toEqual([]);
});
