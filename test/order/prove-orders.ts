import { afterAll, expect, it } from "vitest";
import { proved } from "../proved.ts";
import { inManyOrders, type Met, summed } from "./in-many-orders.ts";
import { LIVES } from "./lives.ts";

/** Lives each recorded life in so many orders, within a describe, and says what that shows. */
export function proveOrders(
  orders: number,
  { timeout, proof }: { timeout: number; proof: { promise: string; test: string } },
): void {
  const met: Met[] = [];

  it.each(LIVES)(
    `that was $name comes to the same in ${orders} orders, with webhooks doubled and late`,
    { timeout },
    async (told) => {
      const all = await inManyOrders(told, orders);
      expect(all.again).toBeGreaterThan(orders);
      expect(all.late).toBeGreaterThan(orders / 4);
      met.push(all);
    },
  );

  afterAll(() => {
    if (met.length === LIVES.length) proved({ ...proof, figure: summed(met) });
  });
}
