import type { Kysely } from "kysely";
import { z } from "zod";
import type {
  AppIdentity,
  AppIdentityTable,
  TokenRequestRow,
  TokenRequestTable,
} from "../../../domain/ports/token-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

/** Requests for other purposes are for a newer version to answer. */
const PURPOSES = ["git", "api"] as const;

const rows = codec<TokenRequestRow>(
  "token_request",
  z.object({
    id: z.int(),
    node: z.string(),
    epoch: z.int(),
    purpose: z.enum(PURPOSES),
    repositoryId: z.int(),
    askedAt: z.int(),
    sealed: z.string().nullable(),
    refusal: z.string().nullable(),
  }),
);

const identities = codec<AppIdentity>(
  "app_identity",
  z.object({ appId: z.int(), slug: z.string(), botLogin: z.string(), botId: z.int() }),
  "appId",
);

/** Stores the requests for tokens, sealed answers included. */
export function tokenRequestTable(db: Kysely<Schema>): TokenRequestTable {
  const all = db.selectFrom("tokenRequest").selectAll();
  return {
    add: async (request) => {
      const { id } = await db
        .insertInto("tokenRequest")
        .values({ ...request, sealed: null, refusal: null })
        .returning("id")
        .executeTakeFirstOrThrow();
      return id;
    },
    open: async (limit) =>
      (
        await all
          .where("sealed", "is", null)
          .where("refusal", "is", null)
          .where("purpose", "in", PURPOSES)
          .orderBy("id")
          .limit(limit)
          .execute()
      ).map((row) => rows.decode(row)),
    answer: async (id, answer) => {
      await db
        .updateTable("tokenRequest")
        .set(answer)
        .where("id", "=", id)
        .where("sealed", "is", null)
        .where("refusal", "is", null)
        .execute();
    },
    get: async (id) => {
      const row = await all.where("id", "=", id).executeTakeFirst();
      return row && rows.decode(row);
    },
    drop: async (id) => {
      await db.deleteFrom("tokenRequest").where("id", "=", id).execute();
    },
    dropOutside: async (from, to) => {
      await db
        .deleteFrom("tokenRequest")
        .where((eb) => eb.or([eb("askedAt", "<", from), eb("askedAt", ">", to)]))
        .execute();
    },
  };
}

/** Stores who the App is. */
export function appIdentityTable(db: Kysely<Schema>): AppIdentityTable {
  return {
    get: async (appId) => {
      const row = await db
        .selectFrom("appIdentity")
        .selectAll()
        .where("appId", "=", appId)
        .executeTakeFirst();
      return row && identities.decode(row);
    },
    ids: async () => {
      const kept = await db.selectFrom("appIdentity").select("appId").orderBy("appId").execute();
      return kept.map(({ appId }) => appId);
    },
    put: async ({ appId, ...known }) => {
      await db
        .insertInto("appIdentity")
        .values({ appId, ...known })
        .onConflict((conflict) => conflict.column("appId").doUpdateSet(known))
        .execute();
    },
  };
}
