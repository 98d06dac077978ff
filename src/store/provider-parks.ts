import type { Kysely } from "kysely";
import { z } from "zod";
import type { ProviderParkTable } from "../core/ports/provider-parks.ts";
import type { ProviderPark } from "../core/provider-park.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

const rows = codec<ProviderPark>(
  "provider_park",
  z.object({
    account: z.string(),
    since: z.int(),
    until: z.int(),
    failures: z.int(),
    liftedAt: z.int().nullable(),
    reason: z.string(),
  }),
  "account",
);

/** Accounts at model providers that answer nobody for now; a lifted one stays as it was last. */
export function providerParkTable(db: Kysely<Schema>): ProviderParkTable {
  return {
    get: async (account) => {
      const row = await db
        .selectFrom("providerPark")
        .selectAll()
        .where("account", "=", account)
        .executeTakeFirst();
      return row && rows.decode(row);
    },
    put: async (park) => {
      const { account, ...columns } = rows.encode(park);
      await db
        .insertInto("providerPark")
        .values({ account, ...columns })
        .onConflict((conflict) => conflict.column("account").doUpdateSet(columns))
        .execute();
    },
  };
}
