import { afterAll, describe, expect, it } from "vitest";
import { proved } from "../proved.ts";
import { inManyOrders, type Met, summed } from "./in-many-orders.ts";
import { LIVES } from "./lives.ts";

const ORDERS = 100;

describe("a recorded life", () => {
  const met: Met[] = [];

  it.each(LIVES)(
    "that was $name comes to the same in a hundred orders",
    { timeout: 900_000 },
    async (told) => {
      const all = await inManyOrders(told, ORDERS);
      expect(all.again).toBeGreaterThan(ORDERS);
      expect(all.late).toBeGreaterThan(ORDERS / 4);
      met.push(all);
    },
  );

  afterAll(() => {
    if (met.length < LIVES.length) return;
    proved({
      promise: "Webhooks that come in another order, again or late change nothing",
      test: "test/order/many-orders.test.ts",
      figure: summed(met),
    });
  });
});
