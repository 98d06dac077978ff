import { SpanKind } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { Withheld } from "../../domain/access/level.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { DeliveryRow } from "../../domain/kernel/rows.ts";
import type { AgentRuntime } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { AroundRequest } from "../../domain/ports/github-app.ts";
import type { Log, LogContext, WithLogContext } from "../../domain/ports/log.ts";
import type { ObserveStore } from "../../domain/ports/store-observer.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import { EffectSpans } from "./effect-spans.ts";
import { createExporter } from "./exporter.ts";
import { Origins, ofDelivery } from "./origins.ts";
import { attributesOf, failed, Spans } from "./spans.ts";
import { PlannedIds } from "./trace-ids.ts";
import { tracedRuntime } from "./traced-runtime.ts";
import { createTracesObserver } from "./traces-observer.ts";

/** The maximum number of spans that wait to be sent; further ones are lost. */
const MOST_WAITING = 4096;
const SEND_EVERY_MS = 2_000;
/** Longer than the exporter's own limit, so that the exporter reports the failure. */
const SEND_LIMIT_MS = 10_000;
/** How long a stop waits for the last spans. */
const STOP_LIMIT_MS = 2_000;

/** Wraps the parts of a process so that their work is traced. Each part works as before. */
export interface Traces {
  /** Observes the store; undefined if tracing is off. */
  readonly observe: ObserveStore | undefined;
  runtime(runtime: AgentRuntime): AgentRuntime;
  readonly within: WithLogContext;
  /** Wraps requests to GitHub; undefined if tracing is off. */
  readonly request: AroundRequest | undefined;
  /** Handles a delivery in its own span. */
  handling<T extends "handled" | { readonly ignored: string }>(
    delivery: DeliveryRow,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Sends the remaining spans, for two seconds at most. Never rejects. */
  close(): Promise<void>;
}

export interface TracesOptions {
  readonly collector: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** The name and version of this installation in traces. */
  readonly service: { readonly name: string; readonly version: string };
  /** Adds fields to the log lines of work, and returns those of the current work. */
  readonly within: WithLogContext;
  readonly fields: () => LogContext;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the traces of one process and sends them to the collector. Nothing waits for the collector. */
export function createTraces(options: TracesOptions): Traces {
  const exporter = createExporter(options.collector, options.log);
  const batches = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MOST_WAITING,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_LIMIT_MS,
  });
  return tracesTo(batches, options);
}

/** Creates traces for any processor of spans. */
export function tracesTo(taker: SpanProcessor, options: Omit<TracesOptions, "collector" | "log">): Traces {
  const { service, within, fields, clock } = options;
  const ids = new PlannedIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service.name, "service.version": service.version }),
    spanProcessors: [taker],
    idGenerator: ids,
  });
  const spans = new Spans(provider.getTracer("flotilla", service.version), ids, within);
  let effects: EffectSpans | undefined;
  return {
    observe(store) {
      const origins = new Origins(store);
      effects = new EffectSpans(spans, origins);
      return createTracesObserver({ spans, effects, origins, now: () => clock.now() });
    },
    runtime: (runtime) => tracedRuntime(runtime, { spans, fields }),
    within: (doing, work) =>
      doing.effect === undefined || effects === undefined ? within(doing, work) : effects.during(doing, work),
    request: aroundRequests(spans, fields),
    handling: (delivery, work) => handleTraced(spans, delivery, work),
    async close() {
      // The exporter has logged what it could not send.
      const sent = provider.shutdown().catch(() => undefined);
      await withTimeout(clock, STOP_LIMIT_MS, sent, () => undefined);
    },
  };
}

/**
 * Traces one attempt to handle a delivery, below the span of the delivery's arrival. The settled state gives
 * the outcome; for an ignored delivery, the returned reason does.
 */
async function handleTraced<T extends "handled" | { readonly ignored: string }>(
  spans: Spans,
  { guid, event, action, repositoryId, attempts }: DeliveryRow,
  work: () => Promise<T>,
): Promise<T> {
  const doing = { delivery: guid };
  const span = spans.begin(`handle ${action === null ? event : `${event}.${action}`}`, {
    place: { below: ofDelivery(guid).root },
    kind: SpanKind.CONSUMER,
    attributes: {
      ...attributesOf({ ...doing, repository: repositoryId ?? undefined }),
      "flotilla.event": event,
      ...(action === null ? {} : { "flotilla.action": action }),
      "flotilla.attempt": attempts + 1,
    },
  });
  const inside = async (): Promise<T> => {
    const received = await work();
    if (received !== "handled") span.setAttribute("flotilla.outcome", "ignored");
    return received;
  };
  return spans.during(span, doing, inside, guid);
}

/** Traces only requests that belong to traced work; periodic reconciliation belongs to none. */
function aroundRequests(spans: Spans, fields: () => LogContext): AroundRequest {
  return async ({ method, route }, work) => {
    const here = spans.here();
    if (here === undefined) return work();
    const span = spans.begin(`${method} ${route}`, {
      place: { below: here.spanContext() },
      kind: SpanKind.CLIENT,
      attributes: {
        ...attributesOf(fields()),
        ...spans.delivery(),
        "http.request.method": method,
        "url.template": route,
      },
    });
    const answered = (status: number) => span.setAttribute("http.response.status_code", status);
    try {
      const answer = await spans.inside(span, {}, work);
      answered(answer.status);
      span.end();
      return answer;
    } catch (error) {
      // A request that the level withholds is not sent: its span never ends, and is not exported.
      if (!(error instanceof Withheld)) {
        if (error instanceof GitHubError && error.status > 0) answered(error.status);
        failed(span, error);
        span.end();
      }
      throw error;
    }
  };
}
