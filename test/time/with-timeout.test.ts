import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { withTimeout } from "../../src/time/with-timeout.ts";
import { createFakeClock } from "../fakes/clock.ts";

const clock = createFakeClock(0);

it("resolves and rejects as the work does, and forgets the time then", async () => {
  let lateness = 0;
  const late = () => (lateness += 1);
  expect(await withTimeout(clock, 100, Promise.resolve("done"), late)).toBe("done");
  await expect(withTimeout(clock, 100, Promise.reject(new Error("broken")), late)).rejects.toThrow("broken");
  clock.advance(1000);
  expect(lateness).toBe(0);
});

it("resolves with what stands for the work after the time, and not before", async () => {
  const came: string[] = [];
  const work = new Promise<never>(() => {});
  const over = withTimeout(clock, 100, work, () => "late").then((value) => came.push(value));
  clock.advance(99);
  await turn();
  expect(came).toEqual([]);
  clock.advance(1);
  await over;
  expect(came).toEqual(["late"]);
});

it("rejects with the very error that is thrown after the time", async () => {
  const error = new RangeError("too late");
  const over = withTimeout(clock, 100, new Promise<never>(() => {}), () => {
    throw error;
  });
  clock.advance(100);
  await expect(over).rejects.toBe(error);
});
