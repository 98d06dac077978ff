import { assert as assertProperty, property, string as word } from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance } from "../../../src/domain/commands/edit-distance.ts";

/** By definition, without a table; slow, for short words. */
function naive(left: string, right: string): number {
  if (left === "") return right.length;
  if (right === "") return left.length;
  const substituted = naive(left.slice(1), right.slice(1)) + (left[0] === right[0] ? 0 : 1);
  return Math.min(substituted, naive(left.slice(1), right) + 1, naive(left, right.slice(1)) + 1);
}

describe("the distance of two words", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "", 3],
    ["kitten", "sitting", 3],
    ["stauts", "status", 2],
    ["pause", "pause", 0],
  ])("%j and %j is %d", (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
  });

  test("is what its definition says", () => {
    assertProperty(
      property(word({ maxLength: 5 }), word({ maxLength: 5 }), (left, right) => {
        expect(editDistance(left, right)).toBe(naive(left, right));
      }),
    );
  });
});
