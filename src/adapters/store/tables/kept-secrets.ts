import type { Kysely } from "kysely";
import type { KeptSecretTable } from "../../../domain/ports/settings-tables.ts";
import type { Schema } from "../sql/schema.ts";

/** Stores the secrets that all processes on the database share. */
export function keptSecretTable(db: Kysely<Schema>): KeptSecretTable {
  const get: KeptSecretTable["get"] = async (name) => {
    const row = await db
      .selectFrom("keptSecret")
      .select("secret")
      .where("name", "=", name)
      .executeTakeFirst();
    return row?.secret;
  };
  return {
    get,
    keep: async (name, secret) => {
      await db
        .insertInto("keptSecret")
        .values({ name, secret })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const kept = await get(name);
      if (kept === undefined) throw new Error(`the secret ${name} was not stored`);
      return kept;
    },
  };
}
