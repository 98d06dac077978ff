import { SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { expect, it, onTestFinished } from "vitest";
import type { Log } from "../../../src/domain/ports/log.ts";
import { createTraces, tracesTo } from "../../../src/observability/traces/create-traces.ts";
import { createExporter } from "../../../src/observability/traces/exporter.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { DELIVERY } from "./a-delivery.ts";
import { type LocalCollector, startCollector } from "./local-collector.ts";

const CLOCK = createFakeClock(Date.UTC(2026, 0, 1));
const OPTIONS = {
  service: { name: "acme", version: "1.2.3" },
  within: <T>(_: object, work: () => Promise<T>) => work(),
  fields: () => ({}),
};

async function aCollector(): Promise<LocalCollector> {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  return collector;
}

function aLog() {
  const lines: (readonly [string, string, object])[] = [];
  const line = (level: string) => (fields: object, message: string) =>
    void lines.push([level, message, fields]);
  const log: Log = { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
  return { log, lines };
}

/** Traces whose every span is sent at once. */
function sentAtOnce(collector: LocalCollector, log: Log, headers = {}) {
  const taker = new SimpleSpanProcessor({
    exporter: createExporter({ url: `${collector.url}/v1/traces`, headers }, log),
  });
  const traces = tracesTo(taker, { ...OPTIONS, clock: CLOCK });
  return async () => {
    await traces.handling(DELIVERY, () => Promise.resolve("handled"));
    // What was not taken was told.
    await taker.forceFlush().catch(() => undefined);
  };
}

it("sends spans to the collector under the installation's name, with the header that it asks for", async () => {
  const collector = await aCollector();
  await sentAtOnce(collector, aLog().log, { "x-key": "k-1" })();
  expect(collector.spans).toEqual([
    expect.objectContaining({
      name: "handle issues.opened",
      attributes: expect.objectContaining({ "flotilla.delivery": "d-1", "flotilla.repository": 7 }),
    }),
  ]);
  expect([...collector.services]).toEqual(["acme"]);
  expect(collector.headers[0]).toMatchObject({ "x-key": "k-1" });
});

it("says once that the collector takes nothing, does what it did, and says when it does again", async () => {
  const collector = await aCollector();
  const { log, lines } = aLog();
  const work = sentAtOnce(collector, log);
  collector.answer = 400;
  for (let count = 0; count < 3; count += 1) await work();
  expect(lines).toEqual([
    [
      "warn",
      "traces lost: the collector does not accept them",
      expect.objectContaining({ url: `${collector.url}/v1/traces`, next: "see `flotilla doctor`" }),
    ],
  ]);
  collector.answer = 200;
  await work();
  await work();
  expect(lines.slice(1)).toEqual([
    ["info", "traces accepted by the collector again", { url: `${collector.url}/v1/traces`, lost: 3 }],
  ]);
  expect(collector.spans).toHaveLength(2);
});

it("waits for a collector that hangs no longer than two seconds at the end, and for none before", async () => {
  const collector = await aCollector();
  collector.answer = "hang";
  const traces = createTraces({
    ...OPTIONS,
    collector: { url: `${collector.url}/v1/traces`, headers: {} },
    clock: CLOCK,
    log: aLog().log,
  });
  await traces.handling(DELIVERY, () => Promise.resolve("handled"));
  let over = false;
  const close = async (): Promise<void> => {
    await traces.close();
    over = true;
  };
  const closed = close();
  await expect.poll(() => collector.bodies.length).toBe(1);
  CLOCK.advance(1_999);
  await new Promise((turn) => setImmediate(turn));
  expect(over).toBe(false);
  CLOCK.advance(1);
  await expect.poll(() => over, { timeout: 1_000 }).toBe(true);
  await closed;
});

it("sends what is left when it is closed", async () => {
  const collector = await aCollector();
  const traces = createTraces({
    ...OPTIONS,
    collector: { url: `${collector.url}/v1/traces`, headers: {} },
    clock: CLOCK,
    log: aLog().log,
  });
  await traces.handling(DELIVERY, () => Promise.resolve({ ignored: "not used" }));
  await traces.close();
  expect(collector.spans.map(({ attributes }) => attributes["flotilla.outcome"])).toEqual(["ignored"]);
});

it("keeps no more than 4096 spans for a collector that does not take them", async () => {
  const collector = await aCollector();
  collector.answer = "hang";
  const traces = createTraces({
    ...OPTIONS,
    collector: { url: `${collector.url}/v1/traces`, headers: {} },
    clock: CLOCK,
    log: aLog().log,
  });
  for (let count = 0; count < 6_000; count += 1)
    await traces.handling(DELIVERY, () => Promise.resolve("handled"));
  void traces.close();
  // One batch of 512 hangs, and 4096 wait behind it.
  await expect.poll(() => collector.bodies.length).toBe(9);
  const spans = collector.bodies.reduce((sum, body) => sum + body.split('"spanId"').length - 1, 0);
  expect(spans).toBe(512 + 4096);
});
