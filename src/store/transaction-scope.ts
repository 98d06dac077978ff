import { AsyncLocalStorage } from "node:async_hooks";
import type { KyselyPlugin } from "kysely";

/** Knows, anywhere in asynchronous code, whether it was called from inside a transaction. */
export interface TransactionScope {
  run<T>(transaction: () => Promise<T>): Promise<T>;
  /** For the connection that is not the transaction's: refuses its queries while one is open around them. */
  readonly outside: KyselyPlugin;
}

/**
 * There is one connection, so a query beside the open transaction waits for its end; when the transaction awaits that
 * query, both wait for ever. This makes it an error at once.
 */
export function createTransactionScope(): TransactionScope {
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
