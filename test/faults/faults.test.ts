import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proved } from "../proved.ts";
import { FAULTS_INSIDE } from "./faults-inside.ts";
import { FAULTS_OUTSIDE } from "./faults-outside.ts";

const FAULTS = [...FAULTS_OUTSIDE, ...FAULTS_INSIDE];

const root = join(import.meta.dirname, "../..");

test("each of the 42 faults has a test that shows what comes of it", () => {
  expect(FAULTS.map(({ id }) => id)).toEqual(Array.from({ length: 42 }, (_, index) => `F${index + 1}`));
  const shown = FAULTS.flatMap((fault) => fault.shown.map(([file, name]) => ({ id: fault.id, file, name })));
  const missing = shown.filter(({ file, name }) => !readFileSync(join(root, file), "utf8").includes(name));
  expect(missing).toEqual([]);
  expect(FAULTS.filter((fault) => fault.shown.length === 0)).toEqual([]);
  proved({
    promise: "Each known way to fail has a test that shows what comes of it",
    test: "test/faults/faults.test.ts",
    figure: `${FAULTS.length} faults, ${shown.length} tests`,
  });
});
