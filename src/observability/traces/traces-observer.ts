import { type Span, SpanKind } from "@opentelemetry/api";
import type { NewDelivery } from "../../domain/kernel/rows.ts";
import type { StoreObserver } from "../../domain/ports/store-observer.ts";
import type { EffectSpans } from "./effect-spans.ts";
import { type Origins, ofDelivery } from "./origins.ts";
import type { Spans } from "./spans.ts";

interface Parts {
  readonly spans: Spans;
  readonly effects: EffectSpans;
  readonly origins: Origins;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Adds to spans what only the store knows: the arrival of a delivery, decisions, outcomes of effects. */
export function createTracesObserver({ spans, effects, origins, now }: Parts): StoreObserver {
  return {
    arrival: (rows, known) => {
      const at = now();
      for (const row of rows) arrived(spans, row, { again: known.has(row.guid), at });
    },
    calls: {
      deliveries: {
        settle: ([, , state], settled) => {
          if (settled) spans.here()?.setAttribute("flotilla.outcome", state);
        },
      },
      effects: {
        add: ([rows]) => effects.added(rows),
        lease: (_, rows) => effects.leased(rows),
        settle: ([id, , { state }], settled) => {
          if (settled) effects.ended(id, state);
        },
        retry: ([id, , { countAttempt }], done) => {
          if (done) effects.ended(id, countAttempt ? "retried" : "parked");
        },
      },
      wakes: {
        add: ([{ agentId }], added) => {
          const span = spans.here();
          return added && span !== undefined ? woken(span, agentId, origins) : undefined;
        },
      },
      decisions: {
        add: ([{ rule }]) => {
          const span = spans.here();
          if (span !== undefined) decided(span, rule);
        },
      },
    },
  };
}

/** Opens the root span of a delivery, or a span below it if GitHub posted the same delivery again. */
function arrived(
  spans: Spans,
  { guid, event, action, repositoryId, receivedAt }: NewDelivery,
  { again, at }: { readonly again: boolean; readonly at: number },
): void {
  const { root } = ofDelivery(guid);
  const span = spans.begin(`webhook ${action === null ? event : `${event}.${action}`}`, {
    place: again ? { below: root } : { root },
    kind: SpanKind.SERVER,
    at: receivedAt,
    attributes: {
      "flotilla.delivery": guid,
      "flotilla.event": event,
      ...(action === null ? {} : { "flotilla.action": action }),
      ...(repositoryId === null ? {} : { "flotilla.repository": repositoryId }),
      "flotilla.again": again,
    },
  });
  span.end(new Date(at));
}

/** Links the span that woke an agent to the agent's trace, which has the agent's further work. */
async function woken(span: Span, agentId: number, origins: Origins): Promise<void> {
  const origin = await origins.ofAgent(agentId).catch(() => null);
  if (origin !== null && origin.root.traceId !== span.spanContext().traceId)
    span.addLink({ context: origin.root });
}

const rules = new WeakMap<Span, Set<string>>();

/** Adds each rule once. */
function decided(span: Span, rule: string): void {
  const all = (rules.get(span) ?? new Set()).add(rule);
  rules.set(span, all);
  span.setAttribute("flotilla.rules", [...all]);
}
