import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBudget } from "../../../src/adapters/github/client/budget.ts";
import { keepSpent, readSpent } from "../../../src/adapters/github/client/spent.ts";
import { NOON, SILENT, stoppedClock } from "./mocked-github.ts";

const NOTHING_KEPT = { before: [], add: () => {} };
const READ = { points: 1, content: 0 };
const MINUTE = 60_000;

const entry = (at: number) => ({ account: "installation 5", at, points: 1, content: 0 });

test("each refusal in a row holds everybody longer, until a request is taken", () => {
  const clock = stoppedClock();
  const budget = createBudget(clock, NOTHING_KEPT);
  const waits: number[] = [];
  for (let time = 0; time < 8; time += 1) {
    budget.take("installation 5", READ)();
    budget.refused(clock.now() + MINUTE);
    // Was on its way when the first was refused.
    budget.refused(clock.now() + MINUTE);
    const [wait] = budget.waits();
    waits.push(((wait?.until ?? 0) - clock.now()) / MINUTE);
    expect(() => budget.take("app", READ)).toThrow("waiting for GitHub's rate limit of app");
    clock.move((wait?.until ?? 0) - clock.now());
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  budget.answered();
  budget.refused(clock.now() + MINUTE);
  expect(budget.waits()).toEqual([{ account: "*", what: "everything", until: clock.now() + MINUTE }]);
});

test("takes an equal part of the limits where several processes act for the App", () => {
  const clock = stoppedClock();
  let sharers = 3;
  const budget = createBudget(clock, NOTHING_KEPT, () => sharers);
  const comment = () => budget.take("installation 5", { points: 5, content: 1 })();
  // A third of 80 comments in a minute, without the ten that are kept for people.
  for (let time = 0; time < 23; time += 1) comment();
  expect(comment).toThrow("waiting for GitHub's rate limit of installation 5");
  sharers = 2;
  for (let time = 23; time < 35; time += 1) comment();
  expect(comment).toThrow("waiting for GitHub's rate limit");
});

test("has no room for an agent that would only wait at its work, and says until when", () => {
  const clock = stoppedClock();
  const budget = createBudget(clock, NOTHING_KEPT);
  const room = () => [
    budget.noRoomUntil("installation 5", "start"),
    budget.noRoomUntil("installation 5", "wake"),
    budget.noRoomUntil(null, "start"),
    budget.noRoomUntil("installation 6", "start"),
  ];
  for (let time = 0; time < 66; time += 1) budget.take("installation 5", { points: 5, content: 1 })();
  expect(room()).toEqual([null, null, null, null]);
  budget.take("installation 5", { points: 5, content: 1 })();
  // Content is short, and one that wakes may need none.
  expect(room()).toEqual([NOON + MINUTE, null, NOON + MINUTE, null]);
  budget.take("installation 5", { points: 460, content: 0 })();
  expect(room()).toEqual([NOON + MINUTE, NOON + MINUTE, NOON + MINUTE, null]);
  clock.move(MINUTE);
  expect(room()).toEqual([null, null, null, null]);
  budget.pause("installation 6", NOON + 2 * MINUTE);
  expect(room()).toEqual([null, null, NOON + 2 * MINUTE, NOON + 2 * MINUTE]);
});

test("says what is held back of which account, and until when", () => {
  const clock = stoppedClock();
  const budget = createBudget(clock, NOTHING_KEPT);
  for (let time = 0; time < 70; time += 1) budget.take("installation 5", { points: 5, content: 1 })();
  budget.take("installation 6", READ)();
  const until = NOON + MINUTE;
  expect(budget.waits()).toEqual([{ account: "installation 5", what: "content", until }]);
  budget.pause("installation 6", until + 5);
  expect(budget.waits()).toEqual([
    { account: "installation 5", what: "content", until },
    { account: "installation 6", what: "everything", until: until + 5 },
  ]);
});

test("a request counts until a minute after its answer, and one before the start as if it had taken the longest time", () => {
  const clock = stoppedClock();
  const before = [{ account: "installation 5", at: NOON - MINUTE, points: 5, content: 1 }];
  const budget = createBudget(clock, { before, add: () => {} });
  const end = budget.take("installation 5", READ);
  expect(budget.left()).toEqual({ points: 894, contentOfMinute: 79, contentOfHour: 499 });
  clock.move(10_000);
  end();
  expect(budget.left()).toEqual({ points: 899, contentOfMinute: 80, contentOfHour: 499 });
  clock.move(MINUTE - 1);
  expect(budget.left()).toMatchObject({ points: 899 });
  clock.move(1);
  expect(budget.left()).toMatchObject({ points: 900 });
});

test("tells what is left to the account that has least, until its windows have passed", () => {
  const clock = stoppedClock();
  const budget = createBudget(clock, NOTHING_KEPT);
  expect(budget.left()).toEqual({ points: 900, contentOfMinute: 80, contentOfHour: 500 });
  for (let time = 0; time < 7; time += 1) budget.take("installation 5", { points: 5, content: 1 })();
  for (let time = 0; time < 50; time += 1) budget.take("installation 6", READ)();
  expect(budget.left()).toEqual({ points: 850, contentOfMinute: 73, contentOfHour: 493 });
  clock.move(MINUTE);
  expect(budget.left()).toEqual({ points: 900, contentOfMinute: 80, contentOfHour: 493 });
});

test("what was spent is kept in a file that holds no more than still counts", () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-spent-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "github-spent");
  const clock = stoppedClock();
  const kept = keepSpent(path, clock, SILENT);
  for (let line = 0; line < 6000; line += 1) {
    clock.move(1000);
    kept.add(entry(clock.now()));
  }
  // Cut once, to the hour before and the ten seconds that a request may take: 3610 of the first 5001.
  expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(3610 + 999);
  const before = readSpent(path, clock.now());
  expect([before.length, before.at(-1)]).toEqual([3610, entry(clock.now())]);
  expect(keepSpent(path, clock, SILENT).before).toEqual(before);
  expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(3610);
});

test("a file that cannot be written is said and hinders nothing", () => {
  const warned: string[] = [];
  const log = { ...SILENT, warn: (_: object, message: string) => void warned.push(message) };
  const spent = keepSpent("/nowhere/at/all", stoppedClock(), log);
  createBudget(stoppedClock(), spent).take("app", READ)();
  expect(warned).toEqual(Array.from({ length: 2 }, () => "request count not written"));
});
