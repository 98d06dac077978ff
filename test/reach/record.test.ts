import { expect, test } from "vitest";
import { rowsOf } from "./record.ts";

test("every row of a statement that inserts several is recorded, not only the first", () => {
  expect(rowsOf(["machine", "event"], ["agent", "WAKE", "run", "RESUME"])).toEqual([
    ["agent", "WAKE"],
    ["run", "RESUME"],
  ]);
});
