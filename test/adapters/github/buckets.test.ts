import { array, assert as assertProperty, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  answered,
  type Buckets,
  type Cost,
  fullBuckets,
  left,
  pause,
  take,
} from "../../../src/adapters/github/client/buckets.ts";

const READ: Cost = { points: 1, content: 0, forPerson: true };
const EDIT: Cost = { points: 5, content: 0, forPerson: true };
const COMMENT: Cost = { points: 5, content: 1, forPerson: true };
const MINUTE = 60_000;

/** Takes the cost `times` times, each answered at once; says how often it fitted and what the last answer was. */
function takeMany(buckets: Buckets, cost: Cost, times: number, now: number) {
  let state = buckets;
  let taken = 0;
  let retryAt: number | undefined;
  for (let i = 0; i < times; i++) {
    const answer = take(state, cost, now);
    retryAt = answer.retryAt;
    state = retryAt === undefined ? answered(answer.buckets, cost, now) : answer.buckets;
    if (retryAt === undefined) taken++;
  }
  return { buckets: state, taken, retryAt };
}

describe("buckets", () => {
  it.each([
    ["80 things made", COMMENT, 80],
    ["900 reads", READ, 900],
    ["180 edits", EDIT, 180],
  ])("let %s through in a minute and then none until the first is a minute old", (_name, cost, limit) => {
    const { buckets, taken, retryAt } = takeMany(fullBuckets(), cost, limit + 1, 1000);
    expect({ taken, retryAt }).toEqual({ taken: limit, retryAt: 1000 + MINUTE });
    expect(take(buckets, cost, 999 + MINUTE).retryAt).toBe(1000 + MINUTE);
    expect(take(buckets, cost, 1000 + MINUTE).retryAt).toBeUndefined();
  });

  it("let 500 things made through in an hour", () => {
    let buckets = fullBuckets();
    let taken = 0;
    for (let minute = 0; minute < 10; minute++) {
      const step = takeMany(buckets, COMMENT, 80, minute * MINUTE);
      buckets = step.buckets;
      taken += step.taken;
    }
    expect(taken).toBe(500);
    expect(take(buckets, COMMENT, 10 * MINUTE).retryAt).toBe(60 * MINUTE);
  });

  it("leave room for the comments and pull requests of 16 issues that change at once, whose labels can wait", () => {
    const [label, comment] = [
      { points: 5, content: 1, isDisplay: true },
      { points: 5, content: 1 },
    ];
    const labels = takeMany(fullBuckets(), label, 100, 0);
    expect(labels).toMatchObject({ taken: 40, retryAt: MINUTE });
    const comments = takeMany(labels.buckets, comment, 100, 0);
    expect([comments.taken, takeMany(comments.buckets, COMMENT, 100, 0).taken]).toEqual([30, 10]);
    const after = takeMany(takeMany(fullBuckets(), comment, 48, 0).buckets, label, 46, 0);
    expect(after).toMatchObject({ taken: 0, retryAt: MINUTE });
    expect(takeMany(after.buckets, label, 46, MINUTE).taken).toBe(40);
  });

  it("keep the last of each limit for what a person waits for", () => {
    const made = takeMany(fullBuckets(), { ...COMMENT, forPerson: false }, 100, 0);
    expect([made.taken, takeMany(made.buckets, COMMENT, 100, 0).taken]).toEqual([70, 10]);
    const read = takeMany(fullBuckets(), { ...READ, forPerson: false }, 1000, 0);
    expect([read.taken, takeMany(read.buckets, READ, 1000, 0).taken]).toEqual([810, 90]);
  });

  it("still let reads and edits through when nothing more may be made", () => {
    const { buckets } = takeMany(fullBuckets(), COMMENT, 80, 0);
    expect(take(buckets, EDIT, 0).retryAt).toBeUndefined();
    expect(take(buckets, READ, 0).retryAt).toBeUndefined();
    // Though people have taken what is kept for them, too.
    expect(take(buckets, { ...READ, forPerson: false }, 0).retryAt).toBeUndefined();
  });

  it("take nothing when they refuse", () => {
    const { buckets } = takeMany(fullBuckets(), COMMENT, 200, 0);
    expect(takeMany(buckets, READ, 1000, 0).taken).toBe(900 - 80 * 5);
  });

  it("hold everything back until the end of a pause, which only grows", () => {
    const paused = pause(pause(fullBuckets(), 5000), 2000);
    expect(take(paused, READ, 4999).retryAt).toBe(5000);
    expect(take(paused, READ, 5000).retryAt).toBeUndefined();
  });

  it("never let more than the limit through in any span of a minute, and say truly when it continues", () => {
    const gaps = array(integer({ min: 0, max: 600 }), { minLength: 200, maxLength: 300 });
    assertProperty(
      property(gaps, (steps) => {
        let [buckets, now] = [fullBuckets(), 0];
        const times: number[] = [];
        for (const gap of steps) {
          now += gap;
          // Whoever waits until told gets through at once.
          now = take(buckets, COMMENT, now).retryAt ?? now;
          const answer = take(buckets, COMMENT, now);
          expect(answer.retryAt).toBeUndefined();
          buckets = answered(answer.buckets, COMMENT, now);
          times.push(now);
        }
        for (const [index, at] of times.entries()) {
          expect(at - (times[index - 80] ?? -MINUTE)).toBeGreaterThanOrEqual(MINUTE);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("let no more arrive at GitHub in any minute than its limit, however long each request is on its way", () => {
    const requests = array(
      record({
        gap: integer({ min: 0, max: 800 }),
        takes: integer({ min: 0, max: 10_000 }),
        /** In percent of the time until the answer. */
        arrives: integer({ min: 0, max: 100 }),
      }),
      { minLength: 200, maxLength: 300 },
    );
    assertProperty(
      property(requests, (steps) => {
        let [buckets, now] = [fullBuckets(), 0];
        let underWay: number[] = [];
        const arrivals: number[] = [];
        const passTo = (time: number): void => {
          now = time;
          const ended = underWay.filter((end) => end <= now).toSorted((a, b) => a - b);
          underWay = underWay.filter((end) => end > now);
          for (const end of ended) buckets = answered(buckets, COMMENT, end);
        };
        for (const { gap, takes, arrives } of steps) {
          passTo(now + gap);
          let answer = take(buckets, COMMENT, now);
          while (answer.retryAt !== undefined) {
            expect(answer.retryAt).toBeGreaterThan(now);
            passTo(answer.retryAt);
            answer = take(buckets, COMMENT, now);
          }
          buckets = answer.buckets;
          underWay.push(now + takes);
          arrivals.push(now + Math.floor((takes * arrives) / 100));
        }
        arrivals.sort((a, b) => a - b);
        for (const [index, at] of arrivals.entries())
          expect(at - (arrivals[index - 80] ?? -MINUTE)).toBeGreaterThanOrEqual(MINUTE);
      }),
      { numRuns: 30 },
    );
  });

  it("count a request from when it is taken until a minute after its answer", () => {
    let buckets = fullBuckets();
    for (let request = 0; request < 80; request++) buckets = take(buckets, COMMENT, 0).buckets;
    expect(left(buckets, 5 * MINUTE)).toMatchObject({ points: 500, contentOfMinute: 0 });
    // Even if all were answered now, the next would not fit before a minute has passed.
    expect(take(buckets, COMMENT, 5 * MINUTE).retryAt).toBe(6 * MINUTE);
    buckets = answered(buckets, COMMENT, 5 * MINUTE);
    expect(take(buckets, COMMENT, 6 * MINUTE - 1).retryAt).toBeGreaterThanOrEqual(6 * MINUTE);
    expect(take(buckets, COMMENT, 6 * MINUTE).retryAt).toBeUndefined();
  });

  it("continue after the clock was set back", () => {
    const { buckets } = takeMany(fullBuckets(), COMMENT, 80, 10 * MINUTE);
    expect(take(buckets, COMMENT, 0).retryAt).toBeUndefined();
  });
});
