import { type Span, SpanKind } from "@opentelemetry/api";
import type { NewDelivery } from "../../domain/kernel/rows.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import type { EffectSpans } from "./effect-spans.ts";
import { type Origins, ofDelivery } from "./origins.ts";
import type { Spans } from "./spans.ts";

interface Told {
  readonly spans: Spans;
  readonly effects: EffectSpans;
  readonly origins: Origins;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The same store, listened to for what only it is told: that a delivery is on disk, what was decided, how an effect came
 * out. Nothing that is written or read changes; what a transaction does counts once it is committed.
 */
export function tracedStore<S extends Store>(store: S, told: Told): S {
  return {
    ...tracedTables(store, told, (tell) => tell()),
    async transaction(work) {
      const later: (() => unknown)[] = [];
      const result = await store.transaction((tables) =>
        work(tracedTables(tables, told, (tell) => later.push(tell))),
      );
      for (const tell of later) await tell();
      return result;
    },
  };
}

function tracedTables<T extends Tables>(tables: T, told: Told, later: (tell: () => unknown) => unknown): T {
  const { deliveries, effects, decisions, wakes } = tables;
  const { spans, effects: tries, origins, now } = told;
  return {
    ...tables,
    deliveries: {
      ...deliveries,
      async insert(rows) {
        // Whatever becomes of the question: a webhook is taken.
        const known = await deliveries
          .known(rows.map(({ guid }) => guid))
          .catch((): ReadonlySet<string> => new Set());
        await deliveries.insert(rows);
        const at = now();
        later(() => {
          for (const row of rows) arrived(spans, row, { again: known.has(row.guid), at });
        });
      },
      async settle(guid, state, note, at) {
        const settled = await deliveries.settle(guid, state, note, at);
        const span = spans.here();
        if (settled) later(() => span?.setAttribute("flotilla.outcome", state));
        return settled;
      },
    },
    effects: {
      ...effects,
      async add(rows) {
        tries.added(rows);
        return effects.add(rows);
      },
      async lease(options) {
        const rows = await effects.lease(options);
        tries.leased(rows);
        return rows;
      },
      async settle(id, outcome) {
        const settled = await effects.settle(id, outcome);
        if (settled) later(() => tries.ended(id, outcome.state));
        return settled;
      },
      async retry(id, options) {
        await effects.retry(id, options);
        later(() => tries.ended(id, options.countAttempt ? "retried" : "parked"));
      },
    },
    wakes: {
      ...wakes,
      async add(wake) {
        const added = await wakes.add(wake);
        const span = spans.here();
        // By the store, so only once the transaction is over.
        if (added && span !== undefined) await later(() => woken(span, wake.agentId, origins));
        return added;
      },
    },
    decisions: {
      ...decisions,
      async add(row) {
        const id = await decisions.add(row);
        const span = spans.here();
        if (span !== undefined) later(() => decided(span, row.rule));
        return id;
      },
    },
  };
}

/** The root of all that follows from a delivery; below it where GitHub posted the same once more. */
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

/** From what woke an agent a link leads to the agent's trace, where what it then does is told. */
async function woken(span: Span, agentId: number, origins: Origins): Promise<void> {
  const origin = await origins.ofAgent(agentId).catch(() => null);
  if (origin !== null && origin.root.traceId !== span.spanContext().traceId)
    span.addLink({ context: origin.root });
}

const rules = new WeakMap<Span, Set<string>>();

/** Each rule once. */
function decided(span: Span, rule: string): void {
  const all = (rules.get(span) ?? new Set()).add(rule);
  rules.set(span, all);
  span.setAttribute("flotilla.rules", [...all]);
}
