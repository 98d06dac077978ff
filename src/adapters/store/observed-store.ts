import { messageOf } from "../../domain/kernel/errors.ts";
import { byName, wrappedTables } from "../../domain/kernel/wrapped-tables.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { DeliveryTable, Store, Tables } from "../../domain/ports/store.ts";
import type { ObserveStore, StoreObserver } from "../../domain/ports/store-observer.ts";

/** Calls listeners. Returns undefined if there is nothing to await. */
type Notify = () => Promise<void> | undefined;
type WhenCertain = (notify: Notify) => Promise<void> | undefined;
type Harmless<Given extends readonly unknown[]> = (...given: Given) => Promise<void> | undefined;
type Listener = Harmless<[args: readonly unknown[], result: unknown]>;

interface Listeners {
  /** Listeners by table, then by method. A call without listeners is not wrapped. */
  readonly calls: ReadonlyMap<string, ReadonlyMap<string, readonly Listener[]>>;
  readonly arrivals: readonly Harmless<Parameters<NonNullable<StoreObserver["arrival"]>>>[];
}

/**
 * Wraps a store with observers. Writes and reads stay the same even if a listener throws; the log reports
 * each listener's first failure.
 */
export function observedStore<S extends Store>(
  store: S,
  observers: readonly ObserveStore[],
  log: Pick<Log, "error">,
): S {
  const listeners = listenersOf(
    observers.map((observe) => observe(store)),
    log,
  );
  return {
    ...observedTables(store, listeners, (notify) => notify()),
    async transaction(work) {
      const committed: Notify[] = [];
      const result = await store.transaction((tables) =>
        work(
          observedTables(tables, listeners, (notify) => {
            committed.push(notify);
            return undefined;
          }),
        ),
      );
      // All listeners begin, in the order of the calls, before the first is awaited.
      await together(committed.map((notify) => notify()));
      return result;
    },
  };
}

function observedTables<T extends Tables>(
  tables: T,
  { calls, arrivals }: Listeners,
  whenCertain: WhenCertain,
): T {
  const observed = wrappedTables(tables, (name, table) => {
    const methods = calls.get(name);
    if (methods === undefined) return table;
    const given: object = table;
    const own: Record<string, unknown> = {};
    for (const [method, listeners] of methods) {
      own[method] = async (...args: readonly unknown[]): Promise<unknown> => {
        const result: unknown = await Reflect.apply(Reflect.get(given, method), given, args);
        await whenCertain(() => together(listeners.map((listener) => listener(args, result))));
        return result;
      };
    }
    return { ...table, ...own };
  });
  if (arrivals.length === 0) return observed;
  const deliveries = (table: DeliveryTable): DeliveryTable => ({
    ...table,
    insert: async (rows) => {
      // A webhook is stored even if this read fails.
      const known = await table.known(rows.map(({ guid }) => guid)).catch(() => new Set<string>());
      await table.insert(rows);
      await whenCertain(() => together(arrivals.map((arrival) => arrival(rows, known))));
    },
  });
  return wrappedTables(observed, byName({ deliveries }));
}

function together(results: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const waits = results.filter((result) => result !== undefined);
  return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined);
}

function listenersOf(observers: readonly StoreObserver[], log: Pick<Log, "error">): Listeners {
  const calls = new Map<string, Map<string, Listener[]>>();
  for (const observer of observers)
    for (const [table, methods] of Object.entries<object>(observer.calls)) {
      const ofTable = calls.get(table) ?? new Map<string, Listener[]>();
      calls.set(table, ofTable);
      const listeners: readonly [string, Listener][] = Object.entries(methods);
      for (const [method, listener] of listeners) {
        const safe = harmless(listener, `${table}.${method}`, log);
        ofTable.set(method, [...(ofTable.get(method) ?? []), safe]);
      }
    }
  const arrivals = observers.flatMap(({ arrival }) => arrival ?? []);
  return { calls, arrivals: arrivals.map((arrival) => harmless(arrival, "arrival", log)) };
}

/** Wraps a listener so that it neither throws nor rejects. */
function harmless<Given extends readonly unknown[]>(
  listener: (...given: Given) => void | Promise<void>,
  call: string,
  log: Pick<Log, "error">,
): Harmless<Given> {
  let failed = false;
  const note = (error: unknown): void => {
    if (!failed) log.error({ call, error: messageOf(error) }, "store observer failed");
    failed = true;
  };
  return (...given) => {
    try {
      const result = listener(...given);
      return result instanceof Promise ? result.catch(note) : undefined;
    } catch (error) {
      note(error);
      return undefined;
    }
  };
}
