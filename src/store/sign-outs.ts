import type { Kysely } from "kysely";
import type { SignOutTable } from "../core/ports/sign-outs.ts";
import type { Schema } from "./schema.ts";

/** Sessions that were ended. A cookie holds all else of a session, so only these need a row. */
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
