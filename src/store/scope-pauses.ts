import type { Kysely } from "kysely";
import { z } from "zod";
import type { ScopePauseTable } from "../core/ports/scope-pauses.ts";
import { repositoryScope, SCOPE_HOLDERS, type ScopePauseRow } from "../core/scope.ts";
import { codec } from "./codec.ts";
import type { Schema } from "./schema.ts";

type StoredPause = Omit<ScopePauseRow, "scope"> & { readonly scope: string };

const scopes = z.union([z.literal("all"), z.templateLiteral(["repository:", z.int()])]);

const rows = codec<StoredPause>(
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
  const pause = rows.decode(row);
  return { ...pause, scope: scopes.parse(pause.scope) };
}

/** Scopes in which nothing starts or wakes. */
export function scopePauseTable(db: Kysely<Schema>): ScopePauseTable {
  return {
    add: async (pause) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("scope_pause")
        .values(rows.encode(pause))
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
