import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { LogContext, WithLogContext } from "../../domain/ports/log.ts";
import type { PlannedIds } from "./trace-ids.ts";

/** The place of a span: below a parent, or as the root of a trace with a given or a new id. */
export type Place =
  | { readonly below: SpanContext }
  | { readonly root: { readonly traceId?: string; readonly spanId?: string } };

interface Begun {
  readonly place: Place;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Milliseconds since the epoch, if the span began before now. */
  readonly at?: number;
}

/** Opens spans, and tracks which one is open in the current asynchronous context. */
export class Spans {
  readonly #here = new AsyncLocalStorage<{ readonly span: Span; readonly delivery: string | null }>();
  readonly #goesOn = new WeakMap<Span, Span>();
  readonly #tracer: Tracer;
  readonly #ids: PlannedIds;
  readonly #within: WithLogContext;

  /** `within` adds fields to log lines. */
  constructor(tracer: Tracer, ids: PlannedIds, within: WithLogContext) {
    this.#tracer = tracer;
    this.#ids = ids;
    this.#within = within;
  }

  /** Returns the current span, if any. It may have ended while work that it started continues. */
  here(): Span | undefined {
    const span = this.#here.getStore()?.span;
    return span && (this.#goesOn.get(span) ?? span);
  }

  /** Makes `span` the current span of work that outlives the span here; the first call wins. */
  goOnIn(span: Span): void {
    const here = this.#here.getStore()?.span;
    if (here !== undefined && !this.#goesOn.has(here)) this.#goesOn.set(here, span);
  }

  /** Returns the delivery from which the current work follows, as an attribute; empty if unknown. */
  delivery(): Attributes {
    return attributesOf({ delivery: this.#here.getStore()?.delivery ?? undefined });
  }

  /** Runs the work outside any span. */
  without<T>(doing: LogContext, work: () => Promise<T>): Promise<T> {
    return this.#within(doing, work);
  }

  begin(name: string, { place, kind, attributes, at }: Begun): Span {
    const options = {
      ...(kind === undefined ? {} : { kind }),
      ...(attributes === undefined ? {} : { attributes }),
      ...(at === undefined ? {} : { startTime: new Date(at) }),
    };
    return "below" in place
      ? this.#tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, place.below))
      : this.#ids.next(place.root, () => this.#tracer.startSpan(name, options, ROOT_CONTEXT));
  }

  /**
   * Runs the work in the span and leaves the span open. Log lines carry the span's ids. `of`: the delivery,
   * as for `without`.
   */
  inside<T>(span: Span, doing: LogContext, work: () => Promise<T>, of?: string | null): Promise<T> {
    const { traceId, spanId } = span.spanContext();
    const delivery = of === undefined ? (this.#here.getStore()?.delivery ?? null) : of;
    return this.#within({ ...doing, trace: traceId, span: spanId }, () =>
      this.#here.run({ span, delivery }, work),
    );
  }

  /** Runs the work in the span, and ends the span with it, as failed if the work fails. */
  async during<T>(span: Span, doing: LogContext, work: () => Promise<T>, of?: string | null): Promise<T> {
    try {
      return await this.inside(span, doing, work, of);
    } catch (error) {
      failed(span, error);
      throw error;
    } finally {
      span.end();
    }
  }
}

/** Marks the span as failed with an error code. Never records the error's text, which may quote anything. */
export function failed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  const type = error instanceof OutsideError ? error.code : error instanceof Error ? error.name : "unknown";
  span.setAttribute("error.type", type);
}

/** Returns the log's fields as attributes of the same names. */
export function attributesOf({
  delivery,
  effect,
  repository,
  issue,
  agent,
  run,
}: { readonly [K in keyof LogContext]: LogContext[K] | undefined }): Attributes {
  const named = { delivery, effect, repository, issue, agent, run };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [[`flotilla.${name}`, value]],
    ),
  );
}
