import { collectDefaultMetrics } from "prom-client";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Runner } from "../../domain/ports/runner.ts";
import type { ObserveStore } from "../../domain/ports/store-observer.ts";
import { type Asked, answerText, type Route } from "../../http/http-server.ts";
import type { TokenGate } from "../../http/token-gate.ts";
import type { Moment } from "./gauges.ts";
import { createInstruments, type Instruments } from "./instruments.ts";
import { createMetricsObserver } from "./metrics-observer.ts";

interface Metrics {
  readonly observe: ObserveStore;
  /** Wraps a runner so that the processes that it starts are counted. */
  runner(runner: Runner): Runner;
  /** Serves `/metrics`, and measures what is posted to `webhookPath`. */
  route(options: Omit<MetricsOptions, "instruments"> & { readonly webhookPath: string }): Route;
}

/** Creates the metrics of one process. */
export function createMetrics(): Metrics {
  const instruments = createInstruments();
  return {
    observe: (store) => createMetricsObserver(instruments, store),
    runner: (runner) => meteredRunner(runner, instruments),
    route: (options) => {
      const serve = createMetricsRoute({ ...options, instruments });
      return (asked) => {
        if (asked.target.path === options.webhookPath) timeWebhook(instruments, asked);
        return serve(asked);
      };
    },
  };
}

const ACCEPTED = 202;

/** Measures how long the sender of a webhook waits until the webhook is stored; ignores refused ones. */
function timeWebhook(
  { webhookSeconds }: Pick<Instruments, "webhookSeconds">,
  { request, response }: Pick<Asked, "request" | "response">,
): void {
  if (request.method !== "POST") return;
  const stop = webhookSeconds.startTimer();
  response.once("finish", () => {
    if (response.statusCode === ACCEPTED) stop();
  });
}

/**
 * Wraps a runner so that it counts the processes that it starts: an agent's own, and the host's commands for
 * an agent.
 */
function meteredRunner(runner: Runner, { sandboxStarts }: Pick<Instruments, "sandboxStarts">): Runner {
  const counted = async <T>(use: "agent" | "command", work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      sandboxStarts.inc({ use, outcome: "started" });
      return result;
    } catch (error) {
      sandboxStarts.inc({ use, outcome: "failed" });
      throw error;
    }
  };
  return {
    description: runner.description,
    confine: (command, reach) => counted("agent", () => runner.confine(command, reach)),
    run: (command, options) => counted("command", () => runner.run(command, options)),
    services: () => runner.services(),
    port: () => runner.port(),
    killMarked: (marks) => runner.killMarked(marks),
    memoryEnd: (mark) => runner.memoryEnd(mark),
    countMarked: (marks) => runner.countMarked(marks),
  };
}

const METRICS_PATH = "/metrics";

interface MetricsOptions {
  readonly instruments: Instruments;
  readonly gate: TokenGate;
  readonly moment: () => Moment;
  readonly log: Log;
}

/**
 * Serves `GET /metrics` in Prometheus' text format, to clients with the token. Measures of the process itself begin with the
 * first request.
 */
function createMetricsRoute({ instruments, gate, moment, log }: MetricsOptions): Route {
  const { registry } = instruments;
  let process = false;
  async function read(): Promise<string> {
    if (!process) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
    process = true;
    await instruments.readGauges(moment());
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
      log.error({ error: messageOf(error) }, "metrics not read");
      answerText(asked, 500, "The log says more\n");
    }
  }
  return (asked) => (asked.target.path === METRICS_PATH ? respond(asked) : null);
}
