import { describe, expect, it } from "vitest";
import {
  type Asked,
  lostWindow,
  missedDeliveries,
  sweepSince,
} from "../../../src/domain/backfill/missed-deliveries.ts";
import type { HookAttempt } from "../../../src/domain/ports/github-app.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";

const NOW = 1000 * HOUR;
const attempt = (id: number, guid: string, at = id): HookAttempt => ({ id, guid, event: "issues", at });
const none = { known: new Set<string>(), asked: new Map<string, Asked>(), now: NOW };

describe("a sweep", () => {
  it("looks back to the last one and a quarter of an hour more", () => {
    expect(sweepSince(NOW - HOUR, NOW)).toBe(NOW - HOUR - 15 * MINUTE);
  });

  it("looks back three days at most, beyond which some may be lost", () => {
    expect(sweepSince(NOW - 72 * HOUR, NOW)).toBe(NOW - 72 * HOUR);
    expect(lostWindow(NOW - 72 * HOUR, NOW)).toBeNull();
    expect(sweepSince(NOW - 200 * HOUR, NOW)).toBe(NOW - 72 * HOUR);
    expect(lostWindow(NOW - 72 * HOUR - 1, NOW)).toEqual({
      since: NOW - 72 * HOUR - 1,
      until: NOW - 72 * HOUR,
    });
  });
});

describe("missed deliveries", () => {
  it("are those that the inbox does not know, whatever GitHub thinks of them", () => {
    const found = missedDeliveries([attempt(1, "a"), attempt(2, "b")], { ...none, known: new Set(["a"]) });
    expect(found).toEqual({ redeliver: [attempt(2, "b")], later: 0, stubborn: [], oldest: 2 });
    expect(missedDeliveries([], none).oldest).toBeNull();
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

  it.each([
    [1, 10],
    [2, 20],
    [3, 40],
    [4, 60],
    [40, 60],
  ])("that were asked for %i times are asked for again after %i minutes", (times, minutes) => {
    const ask = (at: number) =>
      missedDeliveries([attempt(1, "a")], { ...none, asked: new Map([["a", { times, at }]]) });
    expect(ask(NOW - minutes * MINUTE + 1)).toMatchObject({ redeliver: [], later: 0, oldest: 1 });
    expect(ask(NOW - minutes * MINUTE).redeliver).toEqual([attempt(1, "a")]);
  });

  it("are stubborn after five times", () => {
    const asked = new Map(["a", "b"].map((guid, index) => [guid, { times: 5 - index, at: NOW }] as const));
    const tries = [attempt(1, "a"), attempt(2, "b")];
    expect(missedDeliveries(tries, { ...none, asked }).stubborn).toEqual([attempt(1, "a")]);
  });
});
