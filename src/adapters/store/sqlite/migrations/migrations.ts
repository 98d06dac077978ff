import { readFileSync } from "node:fs";

/** One step of the schema. Never edit it once it is on main; add another one. */
export interface Migration {
  /** `NNNN_what`. */
  readonly name: string;
  /** Several statements, run in one transaction that also sets the database's schema number. */
  readonly sql: string;
}

/**
 * The migrations in order; append new ones. A database's schema number is the number of migrations that it
 * has had.
 */
export const migrations: readonly Migration[] = [
  "0001_first_release",
  "0002_carried_requests",
  "0003_rejection_source",
  "0004_pending_calls",
  "0005_start_choice",
  "0006_paused_by_a_file",
  "0007_start_temperature",
  "0008_repository_instructions",
  "0009_base_branch",
  "0010_backport",
  "0011_shown_pictures",
  "0012_leases",
  "0013_caused_by",
  "0014_kept_secret",
  "0015_nodes",
  "0016_checkpoint",
  "0017_conversation",
  "0018_drain",
  "0019_node_roles",
  "0020_drain_reason",
  "0021_runtime_version",
  "0022_risk_above",
  "0023_scheduled",
  "0024_acts_of_people",
  "0025_screens",
  "0026_where_people_acted",
].map((name) => ({
  name,
  sql: readFileSync(new URL(`./${name}.sql`, import.meta.url), "utf8"),
}));
