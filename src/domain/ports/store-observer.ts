import type { NewDelivery } from "../kernel/rows.ts";
import type { Store, Tables } from "./store.ts";

/** Called after a successful call, with its arguments and its result. The caller waits for a returned promise. */
type Listener<Call> = Call extends (...args: infer Args) => Promise<infer Result>
  ? (args: Args, result: Result) => void | Promise<void>
  : never;

/**
 * Observes the store. Everything runs once the write is certain: after the statement, or after the commit of its
 * transaction; never after a rollback.
 */
export interface StoreObserver {
  /** Listeners by table and method. */
  readonly calls: {
    readonly [T in keyof Tables]?: { readonly [M in keyof Tables[T]]?: Listener<Tables[T][M]> };
  };
  /** Deliveries are on disk. `known` has the guids that were there before; finding them costs a query. */
  readonly arrival?: (rows: readonly NewDelivery[], known: ReadonlySet<string>) => void;
}

/** Creates an observer. It may read from this store, whose calls are not observed. */
export type ObserveStore = (store: Store) => StoreObserver;
