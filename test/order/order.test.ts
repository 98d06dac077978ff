import { describe } from "vitest";
import { proveOrders } from "./prove-orders.ts";

describe("a recorded life", () => {
  proveOrders(5, {
    timeout: 120_000,
    proof: {
      promise: "The order, doubling and delay of an issue's webhooks change neither its end nor what is done",
      test: "test/order/order.test.ts",
    },
  });
});
