import { array, assert as assertProperty, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycle } from "../../../src/domain/blockers/cycle.ts";

type Waits = ReadonlyMap<number, readonly number[]>;

const issue = integer({ min: 1, max: 8 });
const edges = array(tuple(issue, issue), { maxLength: 20 });

function graph(pairs: readonly (readonly [number, number])[]): Waits {
  const waits = new Map<number, number[]>();
  for (const [from, to] of pairs) waits.set(from, [...(waits.get(from) ?? []), to]);
  return waits;
}

/** Everything that waits are a chain to: grows until nothing is added. */
function reach(waits: Waits, start: number): ReadonlySet<number> {
  const reached = new Set([start]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const [from, targets] of waits) if (reached.has(from)) for (const to of targets) reached.add(to);
  }
  return reached;
}

describe("the circle that a block would close", () => {
  it("is found exactly when the blocker waits for the blocked one, over however many others", () => {
    assertProperty(
      property(edges, issue, issue, (pairs, from, to) => {
        const waits = graph(pairs);
        expect(findCycle(waits, from, to) !== null).toBe(reach(waits, to).has(from));
      }),
    );
  });

  it("is told as a way from the blocked one back to itself, each step of which is a wait", () => {
    assertProperty(
      property(edges, issue, issue, (pairs, from, to) => {
        const waits = graph(pairs);
        const cycle = findCycle(waits, from, to) ?? [from, to, from];
        expect(cycle.slice(0, 2)).toEqual([from, to]);
        expect(cycle.at(-1)).toBe(from);
        const steps = findCycle(waits, from, to)?.slice(1) ?? [];
        const missing = steps.slice(1).filter((next, at) => !waits.get(steps[at] ?? 0)?.includes(next));
        expect(missing).toEqual([]);
      }),
    );
  });

  it.each([
    ["no waits", [], null],
    ["a wait of the blocker for the blocked one", [[7, 42]], [42, 7, 42]],
    [
      "a longer chain",
      [
        [7, 8],
        [8, 9],
        [9, 42],
      ],
      [42, 7, 8, 9, 42],
    ],
    [
      "a chain that ends elsewhere",
      [
        [7, 8],
        [8, 9],
      ],
      null,
    ],
    [
      "a circle of others",
      [
        [7, 8],
        [8, 7],
      ],
      null,
    ],
  ] as const)("for %s is as expected", (_, pairs, expected) => {
    expect(findCycle(graph(pairs), 42, 7)).toEqual(expected);
  });

  it("is closed by an issue that blocks itself", () => {
    expect(findCycle(new Map(), 42, 42)).toEqual([42, 42]);
  });
});
