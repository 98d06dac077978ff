import { readFileSync } from "node:fs";

/** One step of the schema. Never edit it once it is on main; add another one. */
export interface Migration {
  /** `NNNN_what`. */
  readonly name: string;
  /** Several statements, run in one transaction that also notes the migration. */
  readonly sql: string;
  /**
   * The lowest schema number that a version must know to use the database from now on: its own number, or a lower one
   * where it only adds what earlier versions leave alone.
   */
  readonly minReader: number;
}

/** The migrations in order; append new ones. A database's schema number is the number of migrations that it has had. */
export const migrations: readonly Migration[] = [
  { name: "0001_first_release", minReader: 1 },
  { name: "0002_drain", minReader: 1 },
  { name: "0003_node_roles", minReader: 1 },
  { name: "0004_drain_reason", minReader: 1 },
  { name: "0005_runtime_version", minReader: 1 },
  { name: "0006_risk_above", minReader: 1 },
  { name: "0007_scheduled", minReader: 1 },
  { name: "0008_acts_of_people", minReader: 1 },
  { name: "0009_screens", minReader: 1 },
  { name: "0010_where_people_acted", minReader: 1 },
].map(({ name, minReader }) => ({
  name,
  minReader,
  sql: readFileSync(new URL(`./${name}.sql`, import.meta.url), "utf8"),
}));
