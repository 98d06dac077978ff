import { createHash } from "node:crypto";
import { type SpanContext, TraceFlags } from "@opentelemetry/api";
import { type IdGenerator, RandomIdGenerator } from "@opentelemetry/sdk-trace";

/**
 * Trace and root span of what is called so, the same in every life of the process: so a retry and a restart continue with the
 * trace that they belong to.
 */
export function rootOf(name: string): SpanContext {
  const digest = createHash("sha256").update(`flotilla ${name}`).digest("hex");
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48), traceFlags: TraceFlags.SAMPLED };
}

/** Random ids but for the span that begins next, where those are given. */
export class PlannedIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: { readonly traceId?: string; readonly spanId?: string } = {};

  /** For the one span that `begin` begins, and no other. */
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
