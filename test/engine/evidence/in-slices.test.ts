import { expect, it } from "vitest";
import type { Sliced } from "../../../src/domain/evidence/sliced.ts";
import { inSlices } from "../../../src/engine/evidence/in-slices.ts";

/** How often others had their turn during this work, and what it returned. */
async function turnsDuring<T>(work: Sliced<T>) {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const value = await inSlices(work);
  isOver = true;
  return { turns, value };
}

function* slices(count: number, each: number): Sliced<string> {
  for (let index = 0; index < count; index += 1) yield each;
  return "done";
}

it("gives others their turn after each larger slice", async () => {
  const { turns, value } = await turnsDuring(slices(50, 256 * 1024));
  expect(turns).toBeGreaterThanOrEqual(49);
  expect(value).toBe("done");
});

it("puts small slices together", async () => {
  const { turns } = await turnsDuring(slices(1000, 1024));
  expect(turns).toBeGreaterThanOrEqual(14);
  expect(turns).toBeLessThan(20);
});
