import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { type LoneOpening, OPENING_STEPS } from "../../../domain/breakers/lone-opening.ts";
import type { LoneOpeningTable } from "../../../domain/ports/agent-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<LoneOpening>(
  "lone_opening",
  z.object({ agentId: z.int(), step: z.enum(OPENING_STEPS), begun: z.int() }),
  "agentId",
);

export function loneOpeningTable(db: Kysely<Schema>): LoneOpeningTable {
  return {
    all: async () =>
      (await db.selectFrom("loneOpening").selectAll().orderBy("agentId").execute()).map((row) =>
        rows.decode(row),
      ),
    begin: async (agentId, step) => {
      await db
        .insertInto("loneOpening")
        .values({ agentId, step, begun: 1 })
        .onConflict((conflict) =>
          conflict.columns(["agentId", "step"]).doUpdateSet({ begun: sql`lone_opening.begun + 1` }),
        )
        .execute();
    },
    end: async (agentId, step) => {
      await db.deleteFrom("loneOpening").where("agentId", "=", agentId).where("step", "=", step).execute();
    },
  };
}
