import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { NodeTable, RoundTable } from "../../../domain/ports/node-tables.ts";
import type { NodeRow } from "../../../domain/recovery/node.ts";
import { ALL_ROLES, writtenRoles } from "../../../domain/recovery/node-roles.ts";
import { codec } from "../sql/codec.ts";
import { dialect } from "../sql/dialect.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<NodeRow>(
  "node",
  z.object({
    name: z.string(),
    epoch: z.int(),
    version: z.string(),
    seenAt: z.int(),
    stopped: z.boolean(),
    reads: z.int(),
    drainUntil: z.int().nullable(),
    drainReason: z.string().nullable(),
    roles: z.string(),
    publicKey: z.string().nullable(),
    memoryBytes: z.int().nullable(),
    freeDiskBytes: z.int().nullable(),
  }),
  "name",
);

/** What a version knows that says nothing of it: such a life has begun without the columns that hold for `toldEpoch`. */
const UNTOLD = {
  reads: 1,
  drainUntil: null,
  drainReason: null,
  roles: writtenRoles(ALL_ROLES),
  publicKey: null,
  memoryBytes: null,
  freeDiskBytes: null,
} as const;

/** Stores the nodes that use the database. */
export function nodeTable(db: Kysely<Schema>): NodeTable {
  return {
    begin: async ({ name, now, ...said }) => {
      const before = { stopped: 0, drainUntil: null, drainReason: null, freeDiskBytes: null };
      const begun = { ...said, seenAt: now, ...before };
      const next = sql<number>`node.epoch + 1`;
      const { epoch } = await db
        .insertInto("node")
        .values({ name, epoch: 1, toldEpoch: 1, ...begun })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({ epoch: next, toldEpoch: next, ...begun }),
        )
        .returning("epoch")
        .executeTakeFirstOrThrow();
      return epoch;
    },
    seen: async ({ name, epoch }, now, freeDiskBytes) => {
      const { numUpdatedRows } = await db
        .updateTable("node")
        .set({ seenAt: now, freeDiskBytes })
        .where("name", "=", name)
        .where("epoch", "=", epoch)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    time: async () => {
      const { rows: told } = await sql<{ time: number | null }>`${dialect.time()}`.execute(db);
      return told[0]?.time ?? null;
    },
    drain: async ({ name, epoch }, drainUntil, drainReason) => {
      const { numUpdatedRows } = await db
        .updateTable("node")
        .set({ drainUntil, drainReason })
        .where("name", "=", name)
        .where("epoch", "=", epoch)
        .where("toldEpoch", "=", epoch)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    stopped: async ({ name, epoch }) => {
      await db
        .updateTable("node")
        .set({ stopped: 1 })
        .where("name", "=", name)
        .where("epoch", "=", epoch)
        .execute();
    },
    list: async () =>
      (await db.selectFrom("node").selectAll().orderBy("name").execute()).map((row) =>
        rows.decode(row["toldEpoch"] === row["epoch"] ? row : { ...row, ...UNTOLD }),
      ),
  };
}

/** Stores who runs the rounds that only one node at a time may run. */
export function roundTable(db: Kysely<Schema>): RoundTable {
  return {
    hold: async (names, { name: holder, epoch: token }, { now, until: heldUntil }) => {
      if (names.length === 0) return [];
      // Every node writes the rows in the same order, so that no two wait for one another.
      const held = await db
        .insertInto("round")
        .values(names.toSorted().map((name) => ({ name, holder, token, heldUntil })))
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ holder, token, heldUntil })
            .where((eb) =>
              eb.or([
                eb.and([eb("round.holder", "=", holder), eb("round.token", "<=", token)]),
                eb("round.heldUntil", "<=", now),
              ]),
            ),
        )
        .returning("name")
        .execute();
      return held.map(({ name }) => name);
    },
    release: async ({ name, epoch }) => {
      await db
        .updateTable("round")
        .set({ heldUntil: 0 })
        .where("holder", "=", name)
        .where("token", "=", epoch)
        .execute();
    },
  };
}
