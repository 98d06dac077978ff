import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import type { Taken } from "./taken.ts";

const value = z.union([
  z.strictObject({ stringValue: z.string() }).transform((one) => one.stringValue),
  z.strictObject({ intValue: z.coerce.number() }).transform((one) => one.intValue),
  z.strictObject({ doubleValue: z.number() }).transform((one) => one.doubleValue),
  z.strictObject({ boolValue: z.boolean() }).transform((one) => one.boolValue),
  z
    .strictObject({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) })
    .transform((one) => one.arrayValue.values.map(({ stringValue }) => stringValue)),
]);
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((all) => Object.fromEntries(all.map((one) => [one.key, one.value])));

/** What OTLP/HTTP says in JSON, as far as it is looked at. */
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[\da-f]{32}$/),
              spanId: z.string().regex(/^[\da-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              // OTLP counts from 1, 0 is for unknown.
              kind: z
                .int()
                .min(1)
                .transform((kind) => kind - 1),
              startTimeUnixNano: z.coerce.bigint(),
              endTimeUnixNano: z.coerce.bigint(),
              attributes,
              links: z.array(z.object({ traceId: z.string() })).default([]),
              status: z.object({ code: z.int() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

export interface LocalCollector {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Every span that was posted to `/v1/traces`, decoded. */
  readonly spans: Taken[];
  /** Bodies as they came, and what else was posted elsewhere. */
  readonly bodies: string[];
  readonly headers: Readonly<Record<string, unknown>>[];
  readonly services: Set<unknown>;
  /** What it answers from now on; `hang` answers nothing. */
  answer: number | "hang";
  close(): Promise<void>;
}

/** A collector that takes OTLP over HTTP, on loopback. */
export async function startCollector(): Promise<LocalCollector> {
  const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(incoming)).toString();
    collector.bodies.push(body);
    collector.headers.push(incoming.headers);
    if (collector.answer === "hang") return;
    if (incoming.url === "/v1/traces" && collector.answer === 200) take(collector, body);
    response.writeHead(collector.answer, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((incoming, response) => void receive(incoming, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  const collector: LocalCollector = {
    url: `http://127.0.0.1:${address.port}`,
    spans: [],
    bodies: [],
    headers: [],
    services: new Set(),
    answer: 200,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return collector;
}

function take(collector: LocalCollector, body: string): void {
  for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
    collector.services.add(resource.attributes["service.name"]);
    for (const span of scopeSpans.flatMap(({ spans }) => spans))
      collector.spans.push({
        name: span.name,
        kind: span.kind,
        trace: span.traceId,
        id: span.spanId,
        parent: span.parentSpanId || null,
        attributes: span.attributes,
        failed: span.status.code === 2,
        links: span.links.map(({ traceId }) => traceId),
      });
  }
}
