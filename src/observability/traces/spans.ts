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

/** Where a span belongs: below another, or as a root in a trace, under that id where one is given. */
export type Place =
  | { readonly below: SpanContext }
  | { readonly root: { readonly traceId?: string; readonly spanId?: string } };

interface Begun {
  readonly place: Place;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Milliseconds since the epoch, where it began before now. */
  readonly at?: number;
}

/** Opens spans, and knows which one is open where something is done. */
export class Spans {
  readonly #here = new AsyncLocalStorage<{ readonly span: Span; readonly delivery: string | null }>();
  readonly #goesOn = new WeakMap<Span, Span>();
  readonly #tracer: Tracer;
  readonly #ids: PlannedIds;
  readonly #within: WithLogContext;

  /** `within` names in the log what is done. */
  constructor(tracer: Tracer, ids: PlannedIds, within: WithLogContext) {
    this.#tracer = tracer;
    this.#ids = ids;
    this.#within = within;
  }

  /** The span in which this is done, if any. It may have ended already: what it began continues. */
  here(): Span | undefined {
    const span = this.#here.getStore()?.span;
    return span && (this.#goesOn.get(span) ?? span);
  }

  /** What was begun here, and is still done when this span has ended, is done in that one: the first that is named. */
  goOnIn(span: Span): void {
    const here = this.#here.getStore()?.span;
    if (here !== undefined && !this.#goesOn.has(here)) this.#goesOn.set(here, span);
  }

  /** As an attribute, the delivery from which follows what is done here; empty where none is known. */
  delivery(): Attributes {
    return attributesOf({ delivery: this.#here.getStore()?.delivery ?? undefined });
  }

  /** Does the work without a span. */
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

  /** Does the work in the span, which stays open. Lines of the log carry its ids. `of`: what it follows from, as outside. */
  inside<T>(span: Span, doing: LogContext, work: () => Promise<T>, of?: string | null): Promise<T> {
    const { traceId, spanId } = span.spanContext();
    const delivery = of === undefined ? (this.#here.getStore()?.delivery ?? null) : of;
    return this.#within({ ...doing, trace: traceId, span: spanId }, () =>
      this.#here.run({ span, delivery }, work),
    );
  }

  /** The same, and the span ends with the work: as failed where that fails. */
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

/** Why, as a word of ours: no text of an error, which may quote anything. */
export function failed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  const type = error instanceof OutsideError ? error.code : error instanceof Error ? error.name : "unknown";
  span.setAttribute("error.type", type);
}

/** What the log names, by the same names. */
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
