import { describe, expect, it } from "vitest";
import { beyondRedelivery, missedDeliveries, sweepSince } from "../../src/core/missed-deliveries.ts";
import type { HookAttempt } from "../../src/core/ports/hook-deliveries.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";

const NOW = 1000 * HOUR;
const attempt = (id: number, guid: string, at = id): HookAttempt => ({ id, guid, event: "issues", at });
const none = { known: new Set<string>(), asked: new Map<string, number>() };

describe("a sweep", () => {
  it("looks back to the last one and a quarter of an hour more", () => {
    expect(sweepSince(NOW - HOUR, NOW)).toBe(NOW - HOUR - 15 * MINUTE);
  });

  it("looks back three days at most, beyond which some may be lost", () => {
    expect(sweepSince(NOW - 72 * HOUR, NOW)).toBe(NOW - 72 * HOUR);
    expect(beyondRedelivery(NOW - 72 * HOUR, NOW)).toBe(false);
    expect(sweepSince(NOW - 200 * HOUR, NOW)).toBe(NOW - 72 * HOUR);
    expect(beyondRedelivery(NOW - 72 * HOUR - 1, NOW)).toBe(true);
  });
});

describe("missed deliveries", () => {
  it("are those that the inbox does not know, whatever GitHub thinks of them", () => {
    const found = missedDeliveries([attempt(1, "a"), attempt(2, "b")], { ...none, known: new Set(["a"]) });
    expect(found).toEqual({ redeliver: [attempt(2, "b")], later: 0, hopeless: [] });
  });

  it("are asked for once each, by their latest attempt", () => {
    const tries = [attempt(9, "a", 70), attempt(3, "a", 10), attempt(5, "a", 10)];
    expect(missedDeliveries(tries, none).redeliver).toEqual([attempt(9, "a", 70)]);
  });

  it("come in the order in which they happened first", () => {
    const tries = [attempt(9, "a", 70), attempt(8, "c", 20), attempt(7, "b", 20), attempt(3, "a", 10)];
    expect(missedDeliveries(tries, none).redeliver.map(({ guid }) => guid)).toEqual(["a", "b", "c"]);
  });

  it("go in pieces of 200", () => {
    const tries = Array.from({ length: 203 }, (_, id) => attempt(id, `g${id}`));
    const { redeliver, later } = missedDeliveries(tries, none);
    expect(redeliver).toEqual(tries.slice(0, 200));
    expect(later).toBe(3);
    expect(missedDeliveries(tries.slice(0, 200), none).later).toBe(0);
  });

  it("are given up after they were asked for five times", () => {
    const asked = new Map([
      ["a", 5],
      ["b", 4],
    ]);
    expect(missedDeliveries([attempt(1, "a"), attempt(2, "b")], { ...none, asked })).toEqual({
      redeliver: [attempt(2, "b")],
      later: 0,
      hopeless: [attempt(1, "a")],
    });
  });
});
