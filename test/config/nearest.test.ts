import { describe, expect, test } from "vitest";
import { nearest, suggestion } from "../../src/config/nearest.ts";

const KEYS = ["max_turns", "max_tokens", "warn_at"];

describe("nearest name", () => {
  test.each([
    ["max_turn", "max_turns"],
    ["maxturns", "max_turns"],
    ["MAX_TOKENS", "max_tokens"],
    ["warnat", "warn_at"],
  ])("%s was meant to be %s", (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant);
  });

  test("a word that is like none has no neighbour, however short the names are", () => {
    expect(nearest("colour", KEYS)).toBeUndefined();
    expect(nearest("x", ["a", "on"])).toBeUndefined();
  });

  test("the suggestion names the neighbour, or else all that there are", () => {
    expect(suggestion("max_turn", KEYS)).toBe(' Did you mean "max_turns"?');
    expect(suggestion("colour", KEYS)).toBe(" Known: max_turns, max_tokens, warn_at.");
    expect(suggestion("colour", [])).toBe("");
  });
});
