import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, KyselyPlugin } from "kysely";
import { type AtCrashPoint, neverCrash } from "../../../domain/kernel/crash-points.ts";
import type { OpenStore } from "../database.ts";
import type { Schema } from "../sql/schema.ts";
import { checkInvariants } from "./invariants.ts";
import { pendingRows } from "./pending-rows.ts";
import { remembered } from "./remembered.ts";
import { tablesOn } from "./tables.ts";

/** A store but for its end and for other processes. */
export interface TransactionalTables extends Omit<OpenStore, "close" | "changes"> {
  /** The connection for queries beside those of the tables; refused inside a transaction like theirs. */
  readonly outside: Kysely<Schema>;
}

/** Returns the tables of a database that is open and in the present form, with its transactions. */
export function transactionalTables(
  db: Kysely<Schema>,
  crashPoint: AtCrashPoint = neverCrash,
): TransactionalTables {
  const scope = createTransactionScope();
  const outside = db.withPlugin(scope.outside);
  return {
    ...tablesOn(outside),
    transaction: (work) =>
      scope.run(() =>
        db.transaction().execute(async (trx) => {
          const { tables, write } = pendingRows(remembered(tablesOn(trx)));
          const result = await work(tables);
          await write();
          crashPoint("store:committing");
          return result;
        }),
      ),
    checkInvariants: (now) => checkInvariants(outside, now),
    outside,
  };
}

/** Tracks, across asynchronous calls, whether code runs inside a transaction. */
interface TransactionScope {
  run<T>(transaction: () => Promise<T>): Promise<T>;
  /** Refuses queries on the plain connection while the caller has a transaction open. */
  readonly outside: KyselyPlugin;
}

/**
 * Detects queries outside the open transaction. With one connection such a query waits for the transaction, and if
 * the transaction awaits it, both wait forever; with several it misses what the transaction wrote. This makes it an
 * error at once.
 */
function createTransactionScope(): TransactionScope {
  const scope = new AsyncLocalStorage<{ open: boolean }>();
  const refuse = () => {
    if (scope.getStore()?.open === true)
      throw new Error("inside a transaction use the tables that it was given, not the store's");
  };
  return {
    run: async (transaction) => {
      refuse();
      const here = { open: true };
      try {
        return await scope.run(here, transaction);
      } finally {
        here.open = false;
      }
    },
    outside: {
      transformQuery: ({ node }) => {
        refuse();
        return node;
      },
      transformResult: async ({ result }) => result,
    },
  };
}
