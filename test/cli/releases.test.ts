import { expect, test } from "vitest";
import { ShutdownStack } from "../../src/server/shutdown-stack.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

test("what was acquired last is let go first, each even if another fails, and only once", async () => {
  const order: string[] = [];
  const failed: object[] = [];
  const releases = new ShutdownStack({ ...quiet, error: (fields) => failed.push(fields) });
  releases.add("first", () => order.push("first"));
  releases.add("second", async () => {
    order.push("second");
    throw new Error("stuck");
  });
  releases.add("third", () => order.push("third"));
  await Promise.all([releases.run(), releases.run()]);
  await releases.run();
  expect(order).toEqual(["third", "second", "first"]);
  expect(failed).toEqual([{ what: "second", error: "stuck" }]);
});
