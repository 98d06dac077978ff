import type { ExpressionBuilder, Kysely } from "kysely";
import { z } from "zod";
import type { CheckAttempt } from "../../../domain/checks/attempts.ts";
import type { CheckRunKey, CheckTable, SeenCheck } from "../../../domain/ports/work-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const seen = codec<SeenCheck>(
  "seen_check",
  z.object({
    repositoryId: z.int(),
    ref: z.string(),
    name: z.string(),
    run: z.string(),
    state: z.enum(["green", "red"]),
    conclusion: z.string(),
    fingerprint: z.string().nullable(),
    job: z.string().nullable(),
    step: z.string().nullable(),
    log: z.string(),
    excused: z.boolean(),
    rerun: z.enum(["asked", "refused"]).nullable(),
    rerunAt: z.int().nullable(),
    seenAt: z.int(),
  }),
  "run",
);

/**
 * Stores the results of checks of commits under review, and the failures for which agents were set to work.
 */
export function checkTable(db: Kysely<Schema>): CheckTable {
  return {
    see: async (rows) => {
      if (rows.length === 0) return;
      await db
        .insertInto("seenCheck")
        .values(rows.map((row) => seen.encode(row)))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    ofRef: async (repositoryId, ref) => {
      const rows = await db
        .selectFrom("seenCheck")
        .selectAll()
        .where("repositoryId", "=", repositoryId)
        .where("ref", "=", ref)
        .orderBy("seenAt")
        .execute();
      return rows.map((row) => seen.decode(row));
    },
    flakes: async (repositoryId, names) => {
      const rows = await db
        .selectFrom("seenCheck as red")
        .innerJoin("seenCheck as green", (join) =>
          join
            .onRef("green.repositoryId", "=", "red.repositoryId")
            .onRef("green.ref", "=", "red.ref")
            .onRef("green.name", "=", "red.name"),
        )
        .select(["red.name", "red.fingerprint"])
        .distinct()
        .where("red.repositoryId", "=", repositoryId)
        .where("red.name", "in", [...names])
        .where("red.state", "=", "red")
        .where("green.state", "=", "green")
        .execute();
      return rows.flatMap(({ name, fingerprint }) => (fingerprint === null ? [] : [{ name, fingerprint }]));
    },
    excuse: async (runs) => {
      for (const run of runs) await db.updateTable("seenCheck").set({ excused: 1 }).where(is(run)).execute();
    },
    rerun: async (run, state, at) => {
      await db.updateTable("seenCheck").set({ rerun: state, rerunAt: at }).where(is(run)).execute();
    },
    attempts: async (taskId) => {
      const rows = await db
        .selectFrom("checkAttempt")
        .select(["taskId", "commitSha", "checkName", "fingerprint", "at"])
        .where("taskId", "=", taskId)
        .orderBy("at")
        .execute();
      return rows.map(({ commitSha, checkName, ...row }) => ({
        ...row,
        commit: commitSha,
        check: checkName,
      }));
    },
    attempt: async (rows) => {
      if (rows.length === 0) return;
      await db
        .insertInto("checkAttempt")
        .values(rows.map(stored))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

const is =
  ({ repositoryId, ref, name, run }: CheckRunKey) =>
  (row: ExpressionBuilder<Schema, "seenCheck">) =>
    row.and({ repositoryId, ref, name, run });

/** Renames `commit` and `check`, which are SQL keywords. */
function stored({ commit, check, ...row }: CheckAttempt): Schema["checkAttempt"] {
  return { ...row, commitSha: commit, checkName: check };
}
