import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ReadTurns } from "../../src/dashboard/api/read-turns.ts";

/** Turns of the event loop until it is over. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const over = work.finally(() => {
    state.isOver = true;
  });
  let count = 0;
  for (; !state.isOver; count += 1) await turn();
  await over;
  return count;
}

it("a read waits until nothing urgent is left", async () => {
  let urgent = 3;
  const turns = new ReadTurns(() => urgent > 0);
  const order: string[] = [];
  const work = turns.take(async () => void order.push(`read, ${urgent} urgent`));
  for (; urgent > 0; urgent -= 1) await turn();
  await work;
  expect(order).toEqual(["read, 0 urgent"]);
});

it("a read continues after a few turns when something urgent never ends", async () => {
  const slow = new ReadTurns(() => true);
  expect(await turnsOf(slow.take(async () => {}))).toBeLessThan(20);
});

it("reads follow each other, each in a turn of its own, also after one that fails", async () => {
  const turns = new ReadTurns();
  const order: string[] = [];
  const one = turns.take(async () => {
    order.push("one begins");
    await turn();
    order.push("one fails");
    throw new Error("unreadable");
  });
  const two = turns.take(async () => void order.push("two"));
  await expect(one).rejects.toThrow("unreadable");
  await two;
  expect(order).toEqual(["one begins", "one fails", "two"]);
});
