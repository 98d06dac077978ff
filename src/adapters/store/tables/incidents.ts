import type { Kysely } from "kysely";
import { z } from "zod";
import { INCIDENT_STATES, type IncidentRow } from "../../../domain/breakers/incident.ts";
import type { IncidentTable } from "../../../domain/ports/agent-tables.ts";
import { codec } from "../sql/codec.ts";
import type { Schema } from "../sql/schema.ts";

const rows = codec<IncidentRow>(
  "incident",
  z.object({
    id: z.int(),
    state: z.enum(INCIDENT_STATES),
    scope: z.union([z.literal("all"), z.templateLiteral(["repository:", z.int()])]),
    fingerprint: z.string(),
    text: z.string(),
    repositoryId: z.int(),
    firstIssue: z.int(),
    issue: z.int().nullable(),
    openedAt: z.int(),
    probeAt: z.int(),
    probeAgentId: z.int().nullable(),
    probeSince: z.int().nullable(),
    failedProbes: z.int(),
    closedAt: z.int().nullable(),
  }),
);

/** Stores incidents: failures of several issues with one cause. */
export function incidentTable(db: Kysely<Schema>): IncidentTable {
  return {
    add: async (incident) => {
      const row = await db
        .insertInto("incident")
        .values(rows.encode(incident))
        .returningAll()
        .executeTakeFirstOrThrow();
      return rows.decode(row);
    },
    set: async (id, fields) => {
      await db.updateTable("incident").set(fields).where("id", "=", id).execute();
    },
    list: async () => {
      const found = await db.selectFrom("incident").selectAll().orderBy("id").execute();
      return found.map((row) => rows.decode(row));
    },
  };
}
