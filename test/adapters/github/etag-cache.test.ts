import { expect, it } from "vitest";
import { createEtagCache } from "../../../src/adapters/github/client/etag-cache.ts";

it("forgets the answer that was not used for longest when it is full", () => {
  const cache = createEtagCache<string>(2);
  cache.put("a", { etag: "1", answer: "A" });
  cache.put("b", { etag: "2", answer: "B" });
  cache.get("a");
  cache.put("c", { etag: "3", answer: "C" });
  expect(cache.get("a")?.answer).toBe("A");
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("c")?.answer).toBe("C");
});

it("keeps the newer of two answers under one key and still holds the others", () => {
  const cache = createEtagCache<string>(2);
  cache.put("a", { etag: "1", answer: "A" });
  cache.put("b", { etag: "2", answer: "B" });
  cache.put("a", { etag: "3", answer: "A2" });
  expect(cache.get("a")).toEqual({ etag: "3", answer: "A2" });
  expect(cache.get("b")?.answer).toBe("B");
});
