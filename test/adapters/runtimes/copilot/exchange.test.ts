import { expect, test } from "vitest";
import { backgroundGraceMs, startExchange } from "../../../../src/adapters/runtimes/copilot/exchange.ts";
import type { ExchangeEnd } from "../../../../src/domain/ports/agent-runtime.ts";
import { createManualClock } from "./manual-clock.ts";
import { sdkEvent } from "./sdk-event.ts";

async function settle(): Promise<void> {
  await new Promise<void>((next) => {
    setImmediate(next);
  });
}

function start(overrides: Partial<Parameters<typeof startExchange>[0]> = {}, leftMs?: () => number) {
  const clock = createManualClock();
  const told: string[] = [];
  const exchange = startExchange(
    {
      clock,
      pingEveryMs: 2000,
      send: () => Promise.resolve("m1"),
      abort: () => Promise.resolve(void told.push("abort")),
      ping: () => Promise.resolve(),
      cancelBackground: () => Promise.resolve(void told.push("cancel")),
      async lost() {
        told.push("lost");
        return null;
      },
      ...overrides,
    },
    "prompt",
    { deadlineMs: 3_600_000, ...(leftMs === undefined ? {} : { leftMs }) },
  );
  let end: ExchangeEnd | undefined;
  void exchange.ended.then((value) => {
    end = value;
    return value;
  });
  const begin = async () => {
    await settle();
    exchange.see(sdkEvent("user.message", { messageId: "m1", content: "prompt" }));
    exchange.see(sdkEvent("assistant.message", { content: "said" }));
  };
  return { clock, told, exchange, begin, end: () => end };
}

test("a runtime that refuses the connection at a ping is dead within the ping's period", async () => {
  const { clock, told, begin, end } = start({
    ping: () => Promise.reject(new Error("Connection is closed.")),
  });
  await begin();
  clock.pass(2000);
  await settle();
  expect(end()).toEqual({ kind: "runtime_died", detail: "Connection is closed." });
  expect(told).toEqual(["lost"]);
});

const OVER = "its processes together used more memory than their limit";
const lost = () => Promise.resolve(OVER);

test("a death whose cause is known is told with it, and nothing else is", async () => {
  const dead = start({ lost, ping: () => Promise.reject(new Error("Connection is closed.")) });
  await dead.begin();
  dead.clock.pass(2000);
  await settle();
  expect(dead.end()).toEqual({ kind: "runtime_died", detail: OVER });
  const stuck = start({ lost });
  await stuck.begin();
  stuck.exchange.abort("deadline");
  stuck.clock.pass(10_000);
  await settle();
  expect(stuck.end()).toEqual({ kind: "deadline" });
});

test("a death that two pings tell is cleared up once", async () => {
  const cleared = Promise.withResolvers<string | null>();
  let times = 0;
  const { clock, begin, end } = start({
    ping: () => Promise.reject(new Error("Connection is closed.")),
    lost() {
      times += 1;
      return cleared.promise;
    },
  });
  await begin();
  clock.pass(2000);
  clock.pass(2000);
  await settle();
  expect(end()).toBeUndefined();
  cleared.resolve(null);
  await settle();
  expect(times).toBe(1);
  expect(end()).toMatchObject({ kind: "runtime_died" });
});

test("a ping that was under way when the process died does not hide the death", async () => {
  let pings = 0;
  const { clock, begin, end } = start({
    ping: () => {
      pings += 1;
      if (pings === 1) return Promise.withResolvers<void>().promise;
      return Promise.reject(new Error("Connection is closed."));
    },
  });
  await begin();
  clock.pass(2000);
  clock.pass(2000);
  await settle();
  expect(end()).toMatchObject({ kind: "runtime_died" });
});

test("a runtime that answers no ping is not taken for dead here: it may be slow", async () => {
  const { clock, begin, end } = start({ ping: () => Promise.withResolvers<void>().promise });
  await begin();
  clock.pass(600_000);
  await settle();
  expect(end()).toBeUndefined();
});

test("pings continue for as long as they are answered", async () => {
  let pings = 0;
  const { clock, begin, end } = start({ ping: () => Promise.resolve((pings += 1)) });
  await begin();
  for (let beat = 0; beat < 30; beat += 1) {
    clock.pass(2000);
    await settle();
  }
  expect(pings).toBe(30);
  expect(end()).toBeUndefined();
});

test("a message that cannot be sent means the process is lost", async () => {
  const { end, told } = start({ send: () => Promise.reject(new Error("Session not found")) });
  await settle();
  expect(end()).toEqual({ kind: "runtime_died", detail: "Session not found" });
  expect(told).toEqual(["lost"]);
});

test("a model that waits for a background shell gets its grace, then the shell is ended and the exchange with it", async () => {
  const { clock, told, exchange, begin, end } = start();
  await begin();
  exchange.see(sdkEvent("assistant.idle", {}));
  clock.pass(backgroundGraceMs - 1);
  await settle();
  expect(end()).toBeUndefined();
  clock.pass(1);
  await settle();
  expect(told).toEqual(["cancel"]);
  expect(end()).toEqual({ kind: "idle", lastMessage: "said" });
});

test("a grace that has begun does not end the work that a shell woke the model for", async () => {
  const { clock, told, exchange, begin, end } = start();
  await begin();
  exchange.see(sdkEvent("assistant.idle", {}));
  exchange.see(sdkEvent("assistant.turn_start", { turnId: "1" }));
  clock.pass(backgroundGraceMs);
  await settle();
  expect(end()).toBeUndefined();
  expect(told).toEqual([]);
});

test("after a terminal tool background shells are ended at once", async () => {
  const { told, exchange, begin, end } = start();
  await begin();
  exchange.terminal();
  exchange.see(sdkEvent("assistant.idle", {}));
  await settle();
  expect(told).toEqual(["cancel"]);
  expect(end()?.kind).toBe("idle");
});

test("a turn that starts after the abort is aborted too, and one that never ends costs the process", async () => {
  const { clock, told, exchange, begin, end } = start();
  await begin();
  exchange.abort("aborted");
  exchange.abort("deadline");
  exchange.see(sdkEvent("assistant.turn_start", { turnId: "1" }));
  await settle();
  expect(told).toEqual(["abort", "abort"]);
  clock.pass(10_000);
  await settle();
  expect(told).toContain("lost");
  expect(end()).toEqual({ kind: "aborted" });
});

test("continues after the deadline for as long as time is left", async () => {
  const left = [60_000, 0];
  const { clock, told, begin } = start({}, () => left.shift() ?? 0);
  await begin();
  clock.pass(3_600_000);
  await settle();
  expect(told).not.toContain("abort");
  clock.pass(60_000);
  await settle();
  expect(told).toContain("abort");
});

test("the deadline aborts, and the end that follows is the deadline's", async () => {
  const { clock, told, exchange, begin, end } = start();
  await begin();
  clock.pass(3_600_000);
  await settle();
  expect(told).toContain("abort");
  exchange.see(sdkEvent("session.idle", { aborted: true }));
  await settle();
  expect(end()).toEqual({ kind: "deadline" });
});
