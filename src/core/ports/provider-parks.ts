import type { ProviderPark } from "../provider-park.ts";

/** One row an account at the most. */
export interface ProviderParkTable {
  get(account: string): Promise<ProviderPark | undefined>;
  put(park: ProviderPark): Promise<void>;
}
