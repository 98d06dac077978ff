import { readFileSync } from "node:fs";

/** One step of the schema. Once it is on main it is never edited: a later one mends it. */
export interface Migration {
  /** `NNNN_what`. */
  readonly name: string;
  /** Several statements, run in one transaction with the database's new schema number. */
  readonly sql: string;
}

/** In order; a new one goes to the end. The schema number of a database is how many of them it has had. */
export const migrations: readonly Migration[] = [
  "0001_first_release",
  "0002_carried_requests",
  "0003_rejection_source",
].map((name) => ({
  name,
  sql: readFileSync(new URL(`./${name}.sql`, import.meta.url), "utf8"),
}));
