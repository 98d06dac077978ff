import { expect, it } from "vitest";
import { FailureLimit } from "../../src/http/failure-limit.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createMemoryLog } from "../webhooks/memory-log.ts";

function limit() {
  const [clock, log] = [createFakeClock(5000), createMemoryLog()];
  return { clock, log, failures: new FailureLimit({ now: () => clock.now(), log }) };
}
const times = (count: number, act: () => void) => Array.from({ length: count }, act);

it("lets ten failures a minute pass, and says how long the rest of the minute is", () => {
  const { failures, clock, log } = limit();
  times(10, () => failures.count("a"));
  expect([failures.secondsToWait("a"), log.lines]).toEqual([null, []]);
  clock.advance(20_500);
  failures.count("a");
  expect(failures.secondsToWait("a")).toBe(40);
  expect(failures.secondsToWait("b")).toBeNull();
  clock.advance(39_499);
  expect(failures.secondsToWait("a")).toBe(1);
  clock.advance(1);
  expect(failures.secondsToWait("a")).toBeNull();
  times(10, () => failures.count("a"));
  expect(failures.secondsToWait("a")).toBeNull();
});

it("logs once in each minute", () => {
  const { failures, clock, log } = limit();
  times(500, () => failures.count("a"));
  expect(log.lines).toHaveLength(1);
  clock.advance(60_000);
  times(500, () => failures.count("a"));
  expect(log.lines).toHaveLength(2);
});

it("remembers no more than a thousand keys, the newest", () => {
  const { failures } = limit();
  times(11, () => failures.count("first"));
  for (let index = 0; index < 999; index += 1) failures.count(`${index}`);
  expect(failures.secondsToWait("first")).toBe(60);
  times(11, () => failures.count("last"));
  expect([failures.secondsToWait("first"), failures.secondsToWait("last")]).toEqual([null, 60]);
});
