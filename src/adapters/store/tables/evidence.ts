import type { Kysely } from "kysely";
import { z } from "zod";
import { missing } from "../../../domain/evidence/missing.ts";
import type { EvidenceRow } from "../../../domain/kernel/rows.ts";
import type { EvidenceTable } from "../../../domain/ports/work-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema, StoredEvidence } from "../sql/schema.ts";

const rows = codec<StoredEvidence>(
  "evidence",
  z.object({
    id: z.int(),
    agentId: z.int(),
    runId: z.int(),
    intentId: z.int().nullable(),
    kind: z.enum(["setup", "command", "missing", "evaluation"]),
    commitSha: z.string().nullable(),
    command: z.string().nullable(),
    holds: z.boolean(),
    exitCode: z.int().nullable(),
    timedOut: z.boolean(),
    output: z.string(),
    durationMs: z.int().nullable(),
    digest: z.string().nullable(),
    missing: missing.nullable(),
    confidence: z.number().nullable(),
    createdAt: z.int(),
  }),
);

function decode(row: Readonly<Record<string, unknown>>): EvidenceRow {
  const { commitSha, ...evidence } = rows.decode(row);
  return { ...evidence, commit: commitSha };
}

/** Stores the evidence by which agents' work was judged; rows never change. */
export function evidenceTable(db: Kysely<Schema>): EvidenceTable {
  const all = () => db.selectFrom("evidence").selectAll().orderBy("id");
  return {
    add: async ({ commit, ...row }) => {
      await db
        .insertInto("evidence")
        .values(rows.encode({ ...row, commitSha: commit }))
        .execute();
    },
    ofAgent: async (agentId) => (await all().where("agentId", "=", agentId).execute()).map(decode),
    ofClaim: async (intentId) => (await all().where("intentId", "=", intentId).execute()).map(decode),
  };
}
