import { afterAll, describe, expect, it } from "vitest";
import { proved } from "../proved.ts";
import { inManyOrders, type Met, summed } from "./in-many-orders.ts";
import { LIVES } from "./lives.ts";

const ORDERS = 5;

describe("a recorded life", () => {
  const met: Met[] = [];

  it.each(LIVES)(
    "that was $name comes to the same in any order, with webhooks doubled and late",
    { timeout: 120_000 },
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
      promise: "The order, doubling and delay of an issue's webhooks change neither its end nor what is done",
      test: "test/order/order.test.ts",
      figure: summed(met),
    });
  });
});
