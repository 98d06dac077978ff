import type { Kysely } from "kysely";
import { z } from "zod";
import type { ProviderPark } from "../../../domain/breakers/provider-breaker.ts";
import { repositoryScope, SCOPE_HOLDERS, type ScopePauseRow } from "../../../domain/breakers/scope.ts";
import type { SweepTable } from "../../../domain/ports/audit-tables.ts";
import type {
  ProviderParkTable,
  ScopePauseTable,
  SignOutTable,
} from "../../../domain/ports/settings-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

type StoredPause = Omit<ScopePauseRow, "scope"> & { readonly scope: string };

const scopes = z.union([z.literal("all"), z.templateLiteral(["repository:", z.int()])]);

const pausesRows = codec<StoredPause>(
  "scope_pause",
  z.object({
    id: z.int(),
    scope: z.string(),
    holder: z.enum(SCOPE_HOLDERS),
    by: z.string(),
    reason: z.string().nullable(),
    since: z.int(),
  }),
);

function decode(row: Readonly<Record<string, unknown>>): ScopePauseRow {
  const pause = pausesRows.decode(row);
  return { ...pause, scope: scopes.parse(pause.scope) };
}

/** Stores pauses of scopes, in which nothing starts or wakes. */
export function scopePauseTable(db: Kysely<Schema>): ScopePauseTable {
  return {
    add: async (pause) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("scope_pause")
        .values(pausesRows.encode(pause))
        .onConflict((conflict) => conflict.columns(["scope", "holder"]).doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    lift: async (scope, holder) => {
      const { numDeletedRows } = await db
        .deleteFrom("scope_pause")
        .where("scope", "=", scope)
        .where("holder", "=", holder)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    over: async (repositoryId) => {
      const found = await db
        .selectFrom("scope_pause")
        .selectAll()
        .where("scope", "in", ["all", repositoryScope(repositoryId)])
        .orderBy("id")
        .execute();
      return found.map(decode);
    },
    list: async () => {
      const found = await db.selectFrom("scope_pause").selectAll().orderBy("id").execute();
      return found.map(decode);
    },
  };
}

/** Stores the sign-ins that were signed out. A cookie holds everything else, so only these need a row. */
export function signOutTable(db: Kysely<Schema>): SignOutTable {
  return {
    add: async (session, { until, now }) => {
      await db.deleteFrom("signOut").where("until", "<=", now).execute();
      await db
        .insertInto("signOut")
        .values({ session, until })
        .onConflict((conflict) => conflict.column("session").doNothing())
        .execute();
    },
    has: async (session) => {
      const row = await db
        .selectFrom("signOut")
        .select("until")
        .where("session", "=", session)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

/**
 * Stores, in one row, the time until which all of GitHub's deliveries are known to be here or were requested.
 */
export function sweepTable(db: Kysely<Schema>): SweepTable {
  return {
    last: async () => (await db.selectFrom("sweep").select("at").executeTakeFirst())?.at ?? null,
    done: async (at) => {
      await db
        .insertInto("sweep")
        .values({ id: 1, at })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ at }))
        .execute();
    },
  };
}

const providerBreakersRows = codec<ProviderPark>(
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

/**
 * Stores accounts at model providers whose requests are refused for now; a lifted row keeps its last values.
 */
export function providerParkTable(db: Kysely<Schema>): ProviderParkTable {
  return {
    get: async (account) => {
      const row = await db
        .selectFrom("providerPark")
        .selectAll()
        .where("account", "=", account)
        .executeTakeFirst();
      return row && providerBreakersRows.decode(row);
    },
    put: async (park) => {
      const { account, ...columns } = providerBreakersRows.encode(park);
      await db
        .insertInto("providerPark")
        .values({ account, ...columns })
        .onConflict((conflict) => conflict.column("account").doUpdateSet(columns))
        .execute();
    },
  };
}
