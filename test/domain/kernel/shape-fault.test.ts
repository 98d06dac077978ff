import { expect, test } from "vitest";
import { z } from "zod";
import { shapeFault } from "../../../src/domain/kernel/shape-fault.ts";

const label = z.union([z.string(), z.object({ name: z.string() })]);
const shape = z.object({ id: z.int(), labels: z.array(label) });

function of(value: unknown): string {
  const read = shape.safeParse(value);
  if (read.success) throw new Error("it fits");
  return shapeFault(read.error, "the answer");
}

test.each([
  ["the value itself", [], "the answer: Invalid input: expected object, received array"],
  ["a missing field", { labels: [] }, "id: Invalid input: expected number, received undefined"],
  [
    "a field of the closest alternative",
    { id: 1, labels: ["bug", { name: 7 }] },
    "labels.1.name: Invalid input: expected string, received number",
  ],
  [
    "an item that is none of the alternatives",
    { id: 1, labels: [7] },
    "labels.0: Invalid input: expected string, received number",
  ],
])("names %s", (_, value, fault) => {
  expect(of(value)).toBe(fault);
});

test("shows nothing of what is there", () => {
  expect(of({ id: "a secret", labels: [] })).not.toContain("a secret");
});

test("says something of an error without a place", () => {
  expect(shapeFault(new z.ZodError([]), "payload")).toBe("payload: not understood");
  const without = new z.ZodError([
    { code: "invalid_union", errors: [], path: ["a"], message: "Invalid input", input: 1 },
  ]);
  expect(shapeFault(without, "payload")).toBe("a: Invalid input");
});
