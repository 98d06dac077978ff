import { expect, it } from "vitest";
import { UnderWay } from "../../src/server/under-way.ts";

it("counts a request from its arrival to its answer, also to one that fails", async () => {
  const underWay = new UnderWay();
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const answers = [first.promise, second.promise];
  const route = underWay.counted(() => answers.shift() ?? null);
  const one = route(0);
  const two = route(0);
  expect(underWay.any()).toBe(true);
  first.resolve();
  await one;
  expect(underWay.any()).toBe(true);
  second.reject(new Error("it failed"));
  await expect(two).rejects.toThrow("it failed");
  expect(underWay.any()).toBe(false);
});

it("does not count what is for another route", () => {
  const underWay = new UnderWay();
  expect(underWay.counted(() => null)(0)).toBeNull();
  expect(underWay.any()).toBe(false);
});
