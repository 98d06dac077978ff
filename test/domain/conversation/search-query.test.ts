import { describe, expect, it } from "vitest";
import { searchQuery } from "../../../src/domain/conversation/search-query.ts";

describe("what a model searches for", () => {
  it.each([
    ["export  csv", "export csv"],
    ['"export button" is:open label:bug', '"export button" is:open label:bug'],
    ["-label:bug csv", "-label:bug csv"],
    ["TypeError: x in std::vector", "TypeError x in std vector"],
    ["author:bob csv", "author bob csv"],
    // Nothing that ends the host's own condition.
    ["a OR (b AND NOT c)", "a or b and not c"],
    ['a "OR b', "a or b"],
    ['a ""OR b', 'a ""or b'],
    ['label:"x"repo:other/y', 'label:"x"repo other/y'],
    ["x\\repo", "x repo"],
  ])("%j is asked for as %j", (words, query) => {
    expect(searchQuery(words)).toEqual({ query });
  });

  it.each(["csv repo:other/lib", "-repo:acme/shop csv", "ORG:acme", 'label:x(user:"bob")', '"owner:acme"'])(
    "%j names a place, and is refused with what it may say",
    (words) => {
      expect(searchQuery(words)).toEqual({
        fault: expect.stringMatching(/of this repository alone: leave \w+:/),
      });
    },
  );

  it.each(["()", '"', "?!"])("%j holds no word", (words) => {
    expect(searchQuery(words)).toEqual({ fault: expect.stringContaining("no word to search for") });
  });
});
