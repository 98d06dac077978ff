import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";

test("a session that was ended is known until it would have ended by itself, and gone at the next sign-out", async () => {
  const store = await openStore({ path: ":memory:" });
  onTestFinished(() => store.close());
  await store.signOuts.add("first", { until: 10, now: 0 });
  await store.signOuts.add("second", { until: 20, now: 9 });
  expect([await store.signOuts.has("first"), await store.signOuts.has("second")]).toEqual([true, true]);
  await store.signOuts.add("third", { until: 30, now: 10 });
  expect([await store.signOuts.has("first"), await store.signOuts.has("second")]).toEqual([false, true]);
});
