import { type Span, type SpanContext, SpanStatusCode } from "@opentelemetry/api";
import type { EffectRow, NewEffect } from "../../domain/kernel/rows.ts";
import type { LogContext } from "../../domain/ports/log.ts";
import { type Origin, type Origins, placeIn } from "./origins.ts";
import { attributesOf, type Place, type Spans } from "./spans.ts";

/** Effects of which is remembered in what they were decided; beyond, the oldest are forgotten. */
const REMEMBERED = 10_000;

/** How a try of an effect came out: `retried` and `parked` ones are tried again. */
export type TryEnd = "done" | "failed" | "skipped" | "retried" | "parked";

/** One span for each try of an effect. */
export class EffectSpans {
  readonly #spans: Spans;
  readonly #origins: Origins;
  /** By key: the span in which it was decided. */
  readonly #decidedIn = new Map<string, SpanContext>();
  /** By key and by id, while it is leased. */
  readonly #rows = new Map<string, EffectRow>();
  readonly #open = new Map<number, Span>();

  constructor(spans: Spans, origins: Origins) {
    this.#spans = spans;
    this.#origins = origins;
  }

  /** Called where an effect is added. */
  added(rows: readonly Pick<NewEffect, "key">[]): void {
    const here = this.#spans.here()?.spanContext();
    if (here === undefined) return;
    for (const { key } of rows) if (!this.#decidedIn.has(key)) this.#decidedIn.set(key, here);
    for (const oldest of this.#decidedIn.keys()) {
      if (this.#decidedIn.size <= REMEMBERED) break;
      this.#decidedIn.delete(oldest);
    }
  }

  leased(rows: readonly EffectRow[]): void {
    for (const row of rows) this.#rows.set(row.key, row);
  }

  /** Called when it is certain how a try came out. */
  ended(id: number, how: TryEnd): void {
    const span = this.#open.get(id);
    span?.setAttribute("flotilla.outcome", how);
    if (how === "failed" || how === "retried") span?.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Carries out a try in its span. */
  async during<T>(doing: LogContext, work: () => Promise<T>): Promise<T> {
    const row = this.#rows.get(doing.effect ?? "");
    if (row === undefined) return this.#spans.without(doing, work);
    const origin = await this.#origins.ofEffect(row).catch(() => null);
    const span = this.#spans.begin(`effect ${row.kind}`, {
      place: this.#placeOf(row, origin),
      attributes: {
        ...attributesOf({ ...doing, delivery: origin?.delivery ?? undefined }),
        "flotilla.effect.kind": row.kind,
        "flotilla.attempt": row.attempts + 1,
      },
    });
    this.#open.set(row.id, span);
    try {
      return await this.#spans.during(span, doing, work, origin?.delivery ?? null);
    } finally {
      this.#open.delete(row.id);
      this.#rows.delete(row.key);
    }
  }

  /** Below what decided it, where this process saw that and it is of the same trace; else at the trace's root. */
  #placeOf(row: EffectRow, origin: Origin | null): Place {
    if (origin === null) return { root: {} };
    const decided = this.#decidedIn.get(row.key);
    return decided?.traceId === origin.root.traceId ? { below: decided } : placeIn(origin);
  }
}
