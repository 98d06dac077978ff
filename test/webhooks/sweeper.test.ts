import { expect, it } from "vitest";
import type { LostWindow } from "../../src/domain/backfill/missed-deliveries.ts";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import type { HookAttempt } from "../../src/domain/ports/github-app.ts";
import { createSweeper } from "../../src/webhooks/queue/sweeper.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";
import { createMemoryLog } from "./memory-log.ts";
import { stoppedClock } from "./stopped-clock.ts";

const START = 1000 * HOUR;

/** A GitHub that has sent some webhooks, of which the inbox knows some; `last` is when the last sweep ended. */
function rigOf({
  last,
  attempts,
  known = [],
  newest = null,
}: {
  last: number | null;
  attempts: HookAttempt[];
  known?: string[];
  newest?: number | null;
}) {
  const clock = stoppedClock(START);
  const log = createMemoryLog();
  const inbox = new Set(known);
  const asked: number[] = [];
  const looked: number[] = [];
  const caughtUp: LostWindow[] = [];
  const failures = new Map<"list" | "redeliver" | "lost", GitHubError>();
  let done = last;
  const failing = (method: "list" | "redeliver" | "lost"): void => {
    const error = failures.get(method);
    failures.delete(method);
    if (error) throw error;
  };
  const sweeper = createSweeper({
    github: {
      async hookAttempts(since) {
        failing("list");
        looked.push(since);
        return attempts.filter(({ at }) => at >= since);
      },
      async redeliver(id) {
        asked.push(Number(id));
        failing("redeliver");
        // It arrives nowhere, as before.
        const tried = attempts.find((one) => one.id === id);
        if (tried) attempts.push({ ...tried, id: Number(id) + 1000, at: clock.now() });
      },
    },
    deliveries: { known: async (guids) => new Set(guids.filter((guid) => inbox.has(guid))) },
    sweeps: {
      last: async () => done,
      done: async (at) => {
        done = at;
      },
    },
    newest,
    onLost: async (lost) => {
      if (failures.has("lost")) failing("lost");
      caughtUp.push(lost);
    },
    clock,
    log,
  });
  return {
    caughtUp,
    clock,
    log,
    inbox,
    asked,
    looked,
    sweeper,
    last: () => done,
    fails: (method: "list" | "redeliver" | "lost", code: "unavailable" | "not_found" | "invalid") =>
      failures.set(method, new GitHubError(code, "no", 500, { consequence: "retry" })),
    /** One tick a minute. */
    async pass(minutes: number) {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.move(MINUTE);
        await sweeper.tick();
      }
    },
  };
}

const sent = (id: number, minutesAgo: number): HookAttempt => ({
  id,
  guid: `g${id}`,
  event: "issues",
  at: START - minutesAgo * MINUTE,
});

it("asks at the start for what was missed since the last sweep, and notes how far it came", async () => {
  const rig = rigOf({ last: START - HOUR, attempts: [sent(3, 5), sent(2, 50), sent(1, 80)], known: ["g3"] });
  await rig.sweeper.tick();
  expect(rig.looked).toEqual([START - HOUR - 15 * MINUTE]);
  expect(rig.asked).toEqual([2]);
  expect(rig.last()).toBe(START - 50 * MINUTE);
  rig.inbox.add("g2");
  await rig.pass(10);
  expect(rig.last()).toBe(START + 10 * MINUTE);
});

it("asks for nothing when the database is new", async () => {
  const rig = rigOf({ last: null, attempts: [sent(1, 5)] });
  await rig.sweeper.tick();
  expect(rig.asked).toEqual([]);
  expect(rig.last()).toBe(START);
});

it("looks again every ten minutes, and not in between", async () => {
  const rig = rigOf({ last: START, attempts: [] });
  await rig.sweeper.tick();
  await rig.pass(9);
  expect(rig.looked).toHaveLength(1);
  await rig.pass(1);
  expect(rig.looked).toEqual([START - 15 * MINUTE, START - 15 * MINUTE]);
});

it("comes back after a minute when GitHub does not answer, and has passed nothing over", async () => {
  const rig = rigOf({ last: START - HOUR, attempts: [sent(1, 50)] });
  rig.fails("list", "unavailable");
  await rig.sweeper.tick();
  expect(rig.last()).toBe(START - HOUR);
  expect(rig.log.lines).toMatchObject([{ level: "warn", message: "missed webhooks not searched" }]);
  await rig.sweeper.tick();
  expect(rig.asked).toEqual([]);
  await rig.pass(1);
  expect(rig.asked).toEqual([1]);
  expect(rig.last()).toBe(START - 50 * MINUTE);
});

it.each(["not_found", "invalid"] as const)("asks for the others when one is %s", async (code) => {
  const rig = rigOf({ last: START - HOUR, attempts: [sent(2, 5), sent(1, 50)] });
  rig.fails("redeliver", code);
  await rig.sweeper.tick();
  expect(rig.asked).toEqual([1, 2]);
  rig.inbox.add("g2");
  await rig.pass(60);
  expect(rig.asked).toEqual([1, 2]);
  expect(rig.last()).toBe(START + HOUR);
});

it("comes back for the rest when GitHub fails in between", async () => {
  const rig = rigOf({ last: START - HOUR, attempts: [sent(2, 5), sent(1, 50)] });
  rig.fails("redeliver", "unavailable");
  await rig.sweeper.tick();
  expect(rig.last()).toBe(START - HOUR);
  await rig.pass(1);
  expect(rig.asked).toEqual([1, 1, 2]);
});

it("has passed nothing over while some are left for later", async () => {
  const rig = rigOf({ last: START - HOUR, attempts: Array.from({ length: 203 }, (_, id) => sent(id, 5)) });
  await rig.sweeper.tick();
  expect([rig.asked.length, rig.last()]).toEqual([200, START - 5 * MINUTE]);
  for (const id of rig.asked) rig.inbox.add(`g${id}`);
  await rig.pass(1);
  expect(rig.asked.slice(200)).toEqual([200, 201, 202]);
});

it("never gives up what does not arrive, asks ever more seldom, and says so once", async () => {
  const rig = rigOf({ last: START - HOUR, attempts: [sent(1, 5)] });
  await rig.sweeper.tick();
  await rig.pass(24 * 60);
  // After 0, 10, 30, 70 minutes, and then each hour.
  expect(rig.asked).toHaveLength(4 + 22);
  expect(rig.looked.at(-1)).toBeGreaterThan(START + 22 * HOUR);
  expect(rig.log.lines.filter(({ level }) => level === "error")).toEqual([
    {
      level: "error",
      message: "webhook missing after repeated redelivery requests",
      fields: { event: "issues", delivery: "g1" },
    },
  ]);
});

it("asks at once for all that is missing when it is told to, and says how many", async () => {
  const rig = rigOf({ last: START - HOUR, attempts: [sent(2, 5), sent(1, 50)] });
  await rig.sweeper.tick();
  expect(await rig.sweeper.now()).toEqual({ asked: 2, later: 0 });
  expect(rig.asked).toHaveLength(4);
  rig.fails("list", "unavailable");
  await expect(rig.sweeper.now()).rejects.toThrow(GitHubError);
  await rig.sweeper.stop();
  expect(await rig.sweeper.now()).toEqual({ asked: 0, later: 0 });
  expect(rig.asked).toHaveLength(4);
});

it("begins none after it was stopped", async () => {
  const rig = rigOf({ last: START, attempts: [] });
  await rig.sweeper.stop();
  await rig.sweeper.tick();
  expect(rig.looked).toEqual([]);
});

it("has what is lost read again after more than three days, once it was, and reaches no further back than what came", async () => {
  const last = START - 72 * HOUR;
  const within = rigOf({ last, attempts: [] });
  await within.sweeper.tick();
  expect(within.looked).toEqual([last]);
  expect(within.caughtUp).toEqual([]);
  const beyond = rigOf({ last: last - 1, attempts: [], newest: START - 100 * HOUR });
  beyond.fails("lost", "unavailable");
  await beyond.sweeper.tick();
  expect(beyond.last()).toBe(last - 1);
  await beyond.pass(2);
  expect(beyond.caughtUp).toEqual([{ since: last - 1, until: START - 72 * HOUR + MINUTE }]);
  const heard = rigOf({ last: START - 100 * HOUR, attempts: [], newest: START - HOUR });
  await heard.sweeper.tick();
  expect(heard.caughtUp).toEqual([]);
});
