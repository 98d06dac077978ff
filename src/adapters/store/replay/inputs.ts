import { type InsertObject, type Kysely, sql } from "kysely";
import { z } from "zod";
import type { ReplayInputTable } from "../../../domain/ports/audit-tables.ts";
import type { Outcome } from "../../../domain/replay/outcome.ts";
import { dialect } from "../sql/dialect.ts";
import { keptRows } from "../sql/kept-queries.ts";
import type { Schema } from "../sql/schema.ts";
import { knownAtInput } from "./inputs-known.ts";

/** Characters. Larger answers are dropped, since a record must not outgrow what it records. */
const MOST_ANSWERS = 500_000;
/** Limits the bytes that one statement reads to free pages, including the row that exceeds the limit. */
const BYTES_AT_ONCE = 4 * 2 ** 20;

const positions = z.strictObject({ transition: z.int(), decision: z.int(), effect: z.int(), wake: z.int() });
const answers = z.record(
  z.string(),
  z.union([
    z.strictObject({ answer: z.unknown() }),
    z.strictObject({ refused: z.strictObject({ code: z.string(), message: z.string() }) }),
  ]),
);

const last = (table: string) => sql`coalesce((select max(id) from ${sql.table(table)}), 0)`;

/** `Positions` as JSON text. */
const NOW = sql<string>`${dialect.object({
  transition: last("transition"),
  decision: last("decision"),
  effect: last("effect"),
  wake: last("wake"),
})}`;

/** Returns all of the answers, or none where they are too long. */
function shortened(given: object): string {
  const text = JSON.stringify(given);
  return text.length > MOST_ANSWERS ? "{}" : text;
}

/**
 * Stores what each delivery was decided on, so that a replay can decide again with other settings or code.
 */
export function replayInputTable(db: Kysely<Schema>): ReplayInputTable {
  const put = async (row: InsertObject<Schema, "replayInput">) => {
    await db
      .insertInto("replayInput")
      .values(row)
      .onConflict((conflict) => conflict.column("guid").doUpdateSet(row))
      .execute();
  };
  return {
    begin: async ({ guid, repositoryId, issue, at, answers: given }) => {
      const around = repositoryId === null || issue === null ? null : { repositoryId, issue, at };
      const known = around === null ? null : await knownAtInput(db, around);
      await put({ guid, repositoryId, issue, at, answers: shortened(given), known, began: NOW, ended: null });
    },
    end: async (guid) => {
      await keptRows(db, "end replay input", [guid], () =>
        db.updateTable("replayInput").set({ ended: NOW }).where("guid", "=", guid).compile(),
      );
    },
    ignored: ({ guid, at, answers: given }) =>
      put({
        guid,
        repositoryId: null,
        issue: null,
        at,
        answers: shortened(given),
        known: null,
        began: null,
        ended: null,
      }),
    get: async (guid) => {
      const row = await db.selectFrom("replayInput").selectAll().where("guid", "=", guid).executeTakeFirst();
      if (row === undefined) return undefined;
      const { repositoryId, issue, at, known } = row;
      return { guid, repositoryId, issue, at, known, answers: answers.parse(JSON.parse(row.answers)) };
    },
    ofIssue: async (repositoryId, issue) => {
      const found = await db
        .selectFrom("replayInput")
        .select("guid")
        .where("repositoryId", "=", repositoryId)
        .where("issue", "=", issue)
        .orderBy("at")
        .orderBy(dialect.arrival("replay_input"))
        .execute();
      return found.map(({ guid }) => guid);
    },
    latestIssues: async (repositoryId, limit) => {
      const found = await db
        .selectFrom("replayInput")
        .select("issue")
        .where("repositoryId", "=", repositoryId)
        .where("issue", ">", 0)
        .groupBy("issue")
        .orderBy((eb) => eb.fn.max("at"), "desc")
        .limit(limit)
        .execute();
      return found.flatMap(({ issue }) => issue ?? []);
    },
    outcome: async (guid) => {
      const row = await db.selectFrom("replayInput").selectAll().where("guid", "=", guid).executeTakeFirst();
      if (row === undefined || row.began === null || row.ended === null) return undefined;
      return outcomeOf(
        db,
        guid,
        positions.parse(JSON.parse(row.began)),
        positions.parse(JSON.parse(row.ended)),
      );
    },
    drop: async (before, limit) => {
      const row = dialect.arrival("replay_input");
      await sql`DELETE FROM replay_input WHERE ${row} IN (
        SELECT id FROM (
          SELECT id, sum(size) OVER (ORDER BY at, id) - size AS ahead
          FROM (SELECT ${row} AS id, at, octet_length(answers) + coalesce(octet_length(known), 0) AS size
            FROM replay_input WHERE at < ${before} ORDER BY at, ${row} LIMIT ${limit}) AS aged) AS aged
        WHERE ahead < ${BYTES_AT_ONCE})`.execute(db);
    },
  };
}

/** The last row of each table at one moment. */
interface Positions {
  readonly transition: number;
  readonly decision: number;
  readonly effect: number;
  readonly wake: number;
}

/**
 * Reads what the last handling of a delivery wrote. Other transactions may write between its beginning and its end,
 * and an earlier handling of the same delivery wrote before its beginning.
 */
async function outcomeOf(
  db: Kysely<Schema>,
  delivery: string,
  began: Positions,
  ended: Positions,
): Promise<Outcome> {
  const transitions = await db
    .selectFrom("transition")
    .select(["machine", "recordId", "actor", "event", "fromState as from", "toState as to", "reason"])
    .where("delivery", "=", delivery)
    .where("id", ">", began.transition)
    .where("id", "<=", ended.transition)
    .orderBy("id")
    .execute();
  const decisions = await db
    .selectFrom("decision")
    .select(["rule", "agentId", "reason", "change"])
    .where("delivery", "=", delivery)
    .where("id", ">", began.decision)
    .where("id", "<=", ended.decision)
    .orderBy("id")
    .execute();
  const effects = await db
    .selectFrom("effect")
    .select(["key", "kind", "payload"])
    .where("delivery", "=", delivery)
    .where("id", ">", began.effect)
    .where("id", "<=", ended.effect)
    // Notices depend on the current settings, not on what was known when the delivery was handled.
    .where("kind", "<>", "notify")
    .orderBy("id")
    .execute();
  const wakes = await db
    .selectFrom("wake")
    .select(["key", "agentId", "reason", "detail"])
    .where("delivery", "=", delivery)
    .where("id", ">", began.wake)
    .where("id", "<=", ended.wake)
    .orderBy("id")
    .execute();
  const parsed = z.unknown();
  return {
    transitions,
    decisions,
    effects: effects.map(({ payload, ...effect }) => ({
      ...effect,
      payload: parsed.parse(JSON.parse(payload)),
    })),
    wakes,
  };
}
