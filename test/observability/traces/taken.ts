import { SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";

/** A span as a test looks at it. */
export interface Taken {
  readonly name: string;
  /** A `SpanKind`. */
  readonly kind: number;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** Traces that it leads to. */
  readonly links: readonly string[];
}

/** Takes the spans that end, of as many lives of a process as there are. */
export function takesSpans(): SpanProcessor & { readonly taken: Taken[] } {
  const taken: Taken[] = [];
  return {
    taken,
    onStart: () => {},
    onEnd: (span) => void taken.push(asTaken(span)),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

function asTaken(span: ReadableSpan): Taken {
  const { traceId, spanId } = span.spanContext();
  return {
    name: span.name,
    kind: span.kind,
    trace: traceId,
    id: spanId,
    parent: span.parentSpanContext?.spanId ?? null,
    attributes: span.attributes,
    failed: span.status.code === SpanStatusCode.ERROR,
    links: span.links.map(({ context }) => context.traceId),
  };
}

/** Names from the root of its trace down to the span; `?` for a parent that never came. */
export function pathOf(taken: readonly Taken[], span: Taken): string {
  if (span.parent === null) return span.name;
  const parent = taken.find(({ id, trace }) => id === span.parent && trace === span.trace);
  return `${parent === undefined ? "?" : pathOf(taken, parent)} > ${span.name}`;
}
