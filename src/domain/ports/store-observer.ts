import type { NewDelivery } from "../kernel/rows.ts";
import type { Store, Tables } from "./store.ts";

/** Of a call that succeeded: its arguments and its result. The caller waits for a promise that is returned. */
type Listener<Call> = Call extends (...args: infer Args) => Promise<infer Result>
  ? (args: Args, result: Result) => void | Promise<void>
  : never;

/**
 * Listens to the store. Everything runs once the write is certain: after the statement, or after the commit of its
 * transaction; never when that is rolled back.
 */
export interface StoreObserver {
  /** Listeners by table and method. */
  readonly calls: {
    readonly [T in keyof Tables]?: { readonly [M in keyof Tables[T]]?: Listener<Tables[T][M]> };
  };
  /** Deliveries are on disk. `known` has the guids that were there before; to find them costs a query. */
  readonly arrival?: (rows: readonly NewDelivery[], known: ReadonlySet<string>) => void;
}

/** Makes an observer. It may read by this store, whose calls are not observed. */
export type ObserveStore = (store: Store) => StoreObserver;
