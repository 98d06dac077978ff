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

/** Spans that wait to be sent; what is more is lost. */
const MOST_WAITING = 4096;
const SEND_EVERY_MS = 2_000;
/** Longer than the exporter gives itself, so that it is the one to say what was wrong. */
const SEND_LIMIT_MS = 10_000;
/** What a stop waits for the last of them. */
const STOP_LIMIT_MS = 2_000;

/** What wraps the parts of a process so that what they do is traced; each part does what it did. */
export interface Traces {
  /** Observes the store; undefined where nothing is traced. */
  readonly observe: ObserveStore | undefined;
  runtime(runtime: AgentRuntime): AgentRuntime;
  readonly within: WithLogContext;
  /** Undefined where nobody needs to see requests. */
  readonly request: AroundRequest | undefined;
  /** Handles a delivery in a span of its own. */
  handling<T extends "handled" | { readonly ignored: string }>(
    delivery: DeliveryRow,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Sends what is left, for two seconds at most. Never rejects. */
  close(): Promise<void>;
}

export interface TracesOptions {
  readonly collector: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** What traces call this installation, and its version. */
  readonly service: { readonly name: string; readonly version: string };
  /** Names in the log what is done, and says what is done here. */
  readonly within: WithLogContext;
  readonly fields: () => LogContext;
  readonly clock: Clock;
  readonly log: Log;
}

/** The traces of one process, sent to the collector. Nothing waits for it. */
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

/** The same with any taker of spans. */
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
      // The exporter has logged what could not be sent.
      const sent = provider.shutdown().catch(() => undefined);
      await withTimeout(clock, STOP_LIMIT_MS, sent, () => undefined);
    },
  };
}

/**
 * One try to handle a delivery, in a span below the delivery's arrival. What settles it inside says how it came out; of one
 * that nobody uses, the answer does.
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

/** Only requests that belong to something that is traced: rounds that look for what was missed are no part of a story. */
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
      // What the level withholds is no request: its span never ends, and is not sent.
      if (!(error instanceof Withheld)) {
        if (error instanceof GitHubError && error.status > 0) answered(error.status);
        failed(span, error);
        span.end();
      }
      throw error;
    }
  };
}
