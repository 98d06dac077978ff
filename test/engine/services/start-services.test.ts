import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { startServices, TRY_EVERY_MS } from "../../../src/engine/services/start-services.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { createFakeServices } from "../../fakes/services.ts";

const REDIS = { run: "redis-server", ready: "redis-cli ping", withinMs: 1000, env: {} };
const SLOW = { ...REDIS, run: "postgres", ready: "pg_isready" };

function starting(services: Parameters<typeof startServices>[2]) {
  const clock = createFakeClock(0);
  const fakes = createFakeServices();
  const abort = new AbortController();
  const host = fakes.make();
  const begin = () =>
    startServices(clock, host, services, { directory: "/own/services", signal: abort.signal });
  const pass = async (ms: number) => {
    await turn();
    clock.advance(ms);
    await turn();
  };
  return { clock, fakes, abort, begin, pass, host };
}

test("each is started in a directory of its own and tried four times a second until it is ready", async () => {
  const { fakes, begin, pass, host } = starting({ redis: REDIS, pg: SLOW });
  fakes.answers.set("pg", [false, false, true]);
  const done = begin();
  await pass(TRY_EVERY_MS - 1);
  expect(host.tried).toEqual(["redis", "pg"]);
  await pass(1);
  await pass(TRY_EVERY_MS);
  expect(await done).toEqual([]);
  expect(host.tried).toEqual(["redis", "pg", "pg", "pg"]);
  expect(host.started).toEqual([
    { name: "redis", run: "redis-server", ready: "redis-cli ping", directory: "/own/services/redis" },
    { name: "pg", run: "postgres", ready: "pg_isready", directory: "/own/services/pg" },
  ]);
});

test.each([
  ["answers no", [false] as const],
  ["hangs", ["hang"] as const],
])(
  "one whose ready command %s is given up after its time, with the end of its output",
  async (_, answers) => {
    const { fakes, begin, pass, clock } = starting({ redis: REDIS });
    fakes.answers.set("redis", [...answers]);
    fakes.logs.set("redis", "no room");
    const done = begin();
    for (let at = 0; at < 4; at += 1) await pass(TRY_EVERY_MS);
    expect(clock.now()).toBe(1000);
    expect(await done).toEqual([{ name: "redis", service: REDIS, end: null, log: "no room" }]);
  },
);

test("one that ends is given up at once, even where something else answers in its place", async () => {
  const { fakes, begin } = starting({ redis: REDIS });
  const end = { name: "redis", exitCode: 1, signal: null, log: "address in use" };
  fakes.onStart = (_, host) => host.end(end);
  expect(await begin()).toEqual([{ name: "redis", service: REDIS, end, log: "address in use" }]);
});

test("one that ends while another is still starting has failed, too", async () => {
  const { fakes, begin, pass, host } = starting({ redis: REDIS, pg: SLOW });
  fakes.answers.set("pg", [false, true]);
  const done = begin();
  await pass(1);
  const end = { name: "redis", exitCode: null, signal: "SIGKILL", log: "" };
  host.end(end);
  await pass(TRY_EVERY_MS);
  expect(await done).toEqual([{ name: "redis", service: REDIS, end, log: "" }]);
});

test("an abort ends the waiting, whatever the services do", async () => {
  const { fakes, begin, abort } = starting({ redis: REDIS });
  fakes.answers.set("redis", ["hang"]);
  const done = begin();
  abort.abort();
  expect(await done).toEqual([]);
});
