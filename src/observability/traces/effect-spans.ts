import { type Span, type SpanContext, SpanStatusCode } from "@opentelemetry/api";
import type { EffectRow, NewEffect } from "../../domain/kernel/rows.ts";
import type { LogContext } from "../../domain/ports/log.ts";
import { type Origin, type Origins, placeIn } from "./origins.ts";
import { attributesOf, type Place, type Spans } from "./spans.ts";

/** The number of effects whose deciding span is remembered; the oldest are forgotten. */
const REMEMBERED = 10_000;

/** The outcome of an attempt of an effect. `retried` and `parked` effects get another attempt. */
export type TryEnd = "done" | "failed" | "skipped" | "retried" | "parked";

/** Records one span for each attempt of an effect. */
export class EffectSpans {
  readonly #spans: Spans;
  readonly #origins: Origins;
  /** By key, the span in which the effect was decided. */
  readonly #decidedIn = new Map<string, SpanContext>();
  /** Leased effects by key and by id. */
  readonly #rows = new Map<string, EffectRow>();
  readonly #open = new Map<number, Span>();

  constructor(spans: Spans, origins: Origins) {
    this.#spans = spans;
    this.#origins = origins;
  }

  /** Called when effects are added. */
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

  /** Called when the outcome of an attempt is committed. */
  ended(id: number, how: TryEnd): void {
    const span = this.#open.get(id);
    span?.setAttribute("flotilla.outcome", how);
    if (how === "failed" || how === "retried") span?.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Runs an attempt in its span. */
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

  /**
   * Returns the deciding span as parent if this process has it and its trace is the same; otherwise the
   * trace's root.
   */
  #placeOf(row: EffectRow, origin: Origin | null): Place {
    if (origin === null) return { root: {} };
    const decided = this.#decidedIn.get(row.key);
    return decided?.traceId === origin.root.traceId ? { below: decided } : placeIn(origin);
  }
}
