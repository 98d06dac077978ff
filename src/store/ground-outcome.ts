import type { Kysely } from "kysely";
import { z } from "zod";
import type { Outcome } from "../core/replay/outcome.ts";
import type { Schema } from "./schema.ts";

/** The last rows of the tables at one moment. */
export interface GroundMarks {
  readonly transition: number;
  readonly decision: number;
  readonly effect: number;
  readonly wake: number;
}

/** What was written from one moment to another, within one transaction. */
export async function outcomeBetween(
  db: Kysely<Schema>,
  began: GroundMarks,
  ended: GroundMarks,
): Promise<Outcome> {
  const transitions = await db
    .selectFrom("transition")
    .select(["machine", "recordId", "actor", "event", "fromState as from", "toState as to", "reason"])
    .where("id", ">", began.transition)
    .where("id", "<=", ended.transition)
    .orderBy("id")
    .execute();
  const decisions = await db
    .selectFrom("decision")
    .select(["rule", "agentId", "reason", "change"])
    .where("id", ">", began.decision)
    .where("id", "<=", ended.decision)
    .orderBy("id")
    .execute();
  const effects = await db
    .selectFrom("effect")
    .select(["key", "kind", "payload"])
    .where("id", ">", began.effect)
    .where("id", "<=", ended.effect)
    .orderBy("id")
    .execute();
  const wakes = await db
    .selectFrom("wake")
    .select(["key", "agentId", "reason", "detail"])
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
