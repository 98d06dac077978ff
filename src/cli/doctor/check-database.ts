import type { Database, Fault } from "../../adapters/store/database.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

/** Checks whether the database is undamaged and of this version. */
export const checkDatabase: Check = async ({ damage }) => damage;

/** Returns what is damaged in the database, or why this version cannot read it. */
export async function databaseFaults(database: Database): Promise<readonly Finding[]> {
  // A schema of another version, or no file at all, is not read further.
  const fault = await schemaFaultOf(database);
  if (fault !== undefined) return [{ about: database.at, ...fault }];
  const [first, ...more] = await database.damage();
  if (first === undefined) return [];
  return [
    {
      about: database.at,
      what: `is damaged (${first}${more.length === 0 ? "" : `, and ${more.length} more`}): what it says cannot be trusted`,
      next: "Stop Flotilla and restore a backup (see Backup in docs/operations.md); keep the damaged file",
    },
  ];
}

/**
 * Returns why this version cannot read the schema. Undefined also for an unreadable file, which `damage`
 * reports.
 */
async function schemaFaultOf(database: Database): Promise<Fault | undefined> {
  try {
    return await database.schemaFault();
  } catch (error) {
    if (database.readingFault(error) === undefined) throw error;
    return undefined;
  }
}
