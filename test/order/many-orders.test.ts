import { describe } from "vitest";
import { proveOrders } from "./prove-orders.ts";

describe("a recorded life", () => {
  proveOrders(100, {
    timeout: 900_000,
    proof: {
      promise: "Webhooks that come in another order, again or late change nothing",
      test: "test/order/many-orders.test.ts",
    },
  });
});
