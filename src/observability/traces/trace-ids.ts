import { createHash } from "node:crypto";
import { type SpanContext, TraceFlags } from "@opentelemetry/api";
import { type IdGenerator, RandomIdGenerator } from "@opentelemetry/sdk-trace";

/**
 * Derives the trace and root span of a name. They are the same in every process, so retries and restarts
 * continue their trace.
 */
export function rootOf(name: string): SpanContext {
  const digest = createHash("sha256").update(`flotilla ${name}`).digest("hex");
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48), traceFlags: TraceFlags.SAMPLED };
}

/** Generates random ids, except for the next span if ids are given. */
export class PlannedIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: { readonly traceId?: string; readonly spanId?: string } = {};

  /** Runs `begin`, whose one span gets these ids. */
  next<T>(ids: { readonly traceId?: string; readonly spanId?: string }, begin: () => T): T {
    this.#next = ids;
    try {
      return begin();
    } finally {
      this.#next = {};
    }
  }

  generateTraceId(): string {
    return this.#next.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#next.spanId ?? this.#random.generateSpanId();
  }
}
