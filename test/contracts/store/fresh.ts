import { afterEach, beforeEach } from "vitest";
import type { Store } from "../../../src/domain/ports/store.ts";
import { repository } from "../../adapters/store/samples.ts";

/** A store for each test of the block, with one repository in it; the function gives the present one. */
export function fresh(open: () => Promise<Store>): () => Store {
  let store: Store | undefined;
  beforeEach(async () => {
    store = await open();
    await store.repositories.put(repository);
  });
  afterEach(async () => {
    await store?.close();
    store = undefined;
  });
  return () => {
    if (store === undefined) throw new Error("only inside a test");
    return store;
  };
}
