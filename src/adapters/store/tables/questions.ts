import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { QuestionTable } from "../../../domain/ports/agent-tables.ts";
import { ANSWERED_VIA, QUESTION_STATES, type QuestionRow } from "../../../domain/questions/question.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<QuestionRow>(
  "question",
  z.object({
    id: z.int(),
    agentId: z.int(),
    state: z.enum(QUESTION_STATES),
    text: z.string(),
    options: z.array(z.strictObject({ name: z.string(), destructive: z.boolean() })),
    recommended: z.string().nullable(),
    defaultOption: z.string().nullable(),
    deadlineAt: z.int(),
    askedOf: z.array(z.string()),
    commentId: z.int().nullable(),
    answer: z.string().nullable(),
    answeredBy: z.string().nullable(),
    via: z.enum(ANSWERED_VIA).nullable(),
    answeredAt: z.int().nullable(),
    remindedAt: z.int().nullable(),
    secondAskedAt: z.int().nullable(),
    createdAt: z.int(),
  }),
);

export const decodeQuestion = (row: Readonly<Record<string, unknown>>): QuestionRow => rows.decode(row);

const UNANSWERED = {
  state: "OPEN",
  commentId: null,
  answer: null,
  answeredBy: null,
  via: null,
  answeredAt: null,
  remindedAt: null,
  secondAskedAt: null,
} as const;

/** Expresses `isAnswerable` in SQL; its first half must match the index `question_unsettled` literally. */
export const ANSWERABLE = sql<boolean>`state IN ('OPEN', 'TIMED_OUT') AND (state = 'OPEN' OR default_option IS NULL)`;

/** Stores the questions of agents to people. */
export function questionTable(db: Kysely<Schema>): QuestionTable {
  const update = (id: number) => db.updateTable("question").where("id", "=", id);
  return {
    add: async (asked) => {
      const columns = rows.encode({ ...asked, ...UNANSWERED });
      const row = await db.insertInto("question").values(columns).returningAll().executeTakeFirstOrThrow();
      return rows.decode(row);
    },
    get: async (id) => {
      const row = await db.selectFrom("question").selectAll().where("id", "=", id).executeTakeFirst();
      return row && decodeQuestion(row);
    },
    ofAgents: async (agentIds) => {
      if (agentIds.length === 0) return [];
      const found = await db
        .selectFrom("question")
        .selectAll()
        .where("agentId", "in", agentIds)
        .orderBy("id")
        .execute();
      return found.map(decodeQuestion);
    },
    answerable: async (after, limit) => {
      const found = await db
        .selectFrom("question")
        .selectAll()
        .where(ANSWERABLE)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute();
      return found.map(decodeQuestion);
    },
    answer: async ({ question, text, by, via, url }, at) => {
      const answered = { state: "ANSWERED", answer: text, answeredBy: by, via, answeredAt: at } as const;
      const { numUpdatedRows } = await update(question)
        // What is said on GitHub has an address there.
        .set({ ...rows.encode(answered), answeredOnGithub: Number(via !== "command" || url !== null) })
        .where(ANSWERABLE)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    timeOut: async (id, at) => {
      const { numUpdatedRows } = await update(id)
        .set((eb) => ({
          ...rows.encode({ state: "TIMED_OUT", via: "time-out", answeredAt: at } as const),
          answer: eb.ref("defaultOption"),
        }))
        .where("state", "=", "OPEN")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    withdraw: async (id) => {
      await update(id)
        .set(rows.encode({ state: "WITHDRAWN" }))
        .where(ANSWERABLE)
        .execute();
    },
    written: async (id, commentId) => {
      await update(id).set(rows.encode({ commentId })).execute();
    },
    askedAgain: async (id, fields) => {
      const { numUpdatedRows } = await update(id)
        .set(rows.encode(fields))
        .where("state", "=", "OPEN")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
