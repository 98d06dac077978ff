import type { IncomingMessage, ServerResponse } from "node:http";
import { collectDefaultMetrics } from "prom-client";
import { messageOf } from "../../core/errors.ts";
import type { Log } from "../../core/ports/log.ts";
import { isToken } from "../who-asks.ts";
import type { Instruments } from "./instruments.ts";
import { type Moment, readGauges } from "./read-gauges.ts";

const METRICS_PATH = "/metrics";

export interface MetricsOptions {
  readonly instruments: Instruments;
  readonly token: string;
  readonly moment: () => Moment;
  readonly log: Log;
}

/**
 * `GET /metrics` in Prometheus' text format, for who holds the token; true when the request was for it. What the process
 * itself uses is measured from the first time that it is asked for.
 */
export function createMetricsRoute(
  options: MetricsOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { registry } = options.instruments;
  let process = false;
  async function answer(): Promise<string> {
    if (!process) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
    process = true;
    await readGauges(options.instruments, options.moment());
    return registry.metrics();
  }
  return (request, response) => {
    if (new URL(request.url ?? "/", "http://localhost").pathname !== METRICS_PATH) return false;
    const send = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, {
        "content-type": status === 200 ? registry.contentType : "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...headers,
      });
      response.end(text);
    };
    if (request.method !== "GET" && request.method !== "HEAD")
      send(405, "Metrics are read with GET\n", { allow: "GET" });
    else if (!isToken(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "", options.token))
      send(401, "Send Authorization: Bearer <DASHBOARD_TOKEN>\n", { "www-authenticate": "Bearer" });
    else
      answer().then(
        (text) => send(200, text),
        (error: unknown) => {
          options.log.error({ error: messageOf(error) }, "the metrics could not be read");
          send(500, "The log says more\n");
        },
      );
    return true;
  };
}
