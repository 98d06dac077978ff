import { assert, oneof, property, string, stringMatching } from "fast-check";
import { expect, it } from "vitest";
import { readTarget } from "../../src/http/request-target.ts";
import { BAD_TARGETS } from "./raw-requests.ts";

it.each([
  ["/", "/", [""], ""],
  ["//", "//", ["", ""], ""],
  [
    "/api/agents/acme%2Fapp%3Ax?state=ACTIVE&x=a+b",
    "/api/agents/acme%2Fapp%3Ax",
    ["api", "agents", "acme/app:x"],
    "state=ACTIVE&x=a+b",
  ],
  ["/a?b?c", "/a", ["a"], "b%3Fc="],
  ["/a/../b", "/a/../b", ["a", "..", "b"], ""],
  ["//evil.test/", "//evil.test/", ["", "evil.test", ""], ""],
])("reads %j", (url, path, segments, query) => {
  const target = readTarget(url);
  expect([target?.path, target?.segments, target?.query.toString()]).toEqual([path, segments, query]);
});

it.each([
  undefined,
  "",
  "*",
  "?",
  "a",
  "http://a/",
  "localhost:443",
  "/%",
  "/%ff",
  "/a/%c3%28",
  "/?%",
  "/?a=%ff",
  "/?%zz=1",
  "/a%00b",
  "/?a=%00",
])("returns null for %j", (url) => {
  expect(readTarget(url)).toBeNull();
});

it("never throws, and what it reads begins with a slash", () => {
  const targets = oneof(string({ unit: "binary" }), stringMatching(/^\/[%/?#a-f0-9&=.[\]:@\\]*$/));
  assert(
    property(targets, (url) => {
      const path = readTarget(url)?.path ?? "/";
      expect(path.startsWith("/") && (path === "/" || url.startsWith(path))).toBe(true);
    }),
    { numRuns: 5000, examples: BAD_TARGETS.map((target): [string] => [target]) },
  );
});
