import { collectDefaultMetrics } from "prom-client";
import { messageOf } from "../../core/errors.ts";
import type { Log } from "../../core/ports/log.ts";
import { type Asked, answerText, type Route } from "../../server/http-server.ts";
import type { TokenGate } from "../token-gate.ts";
import type { Instruments } from "./instruments.ts";
import { type Moment, rareCount, readGauges } from "./read-gauges.ts";

const METRICS_PATH = "/metrics";

export interface MetricsOptions {
  readonly instruments: Instruments;
  readonly gate: TokenGate;
  readonly moment: () => Moment;
  readonly log: Log;
}

/**
 * Serves `GET /metrics` in Prometheus' text format, for who holds the token. What the process itself uses is measured from
 * the first time that it is asked for.
 */
export function createMetricsRoute({ instruments, gate, moment, log }: MetricsOptions): Route {
  const { registry } = instruments;
  const mirrorsBytes = rareCount();
  let process = false;
  async function read(): Promise<string> {
    if (!process) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
    process = true;
    await readGauges(instruments, moment(), mirrorsBytes);
    return registry.metrics();
  }
  async function respond(asked: Asked): Promise<void> {
    const { request } = asked;
    if (request.method !== "GET" && request.method !== "HEAD")
      return answerText(asked, 405, "Metrics are read with GET\n", { allow: "GET" });
    if (!gate.isBearer(request)) {
      const { status, headers } = gate.refuse(request);
      const hint = "Send Authorization: Bearer <DASHBOARD_TOKEN>\n";
      return answerText(asked, status, hint, { "www-authenticate": "Bearer", ...headers });
    }
    try {
      answerText(asked, 200, await read(), { "content-type": registry.contentType });
    } catch (error) {
      log.error({ error: messageOf(error) }, "the metrics could not be read");
      answerText(asked, 500, "The log says more\n");
    }
  }
  return (asked) => (asked.target.path === METRICS_PATH ? respond(asked) : null);
}
