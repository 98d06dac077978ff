import { damageIn } from "../../adapters/store/sqlite/check-database.ts";
import { schemaFault } from "../../adapters/store/sqlite/schema-number.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

/** Whether the database is whole, and one that this version reads. */
export const checkDatabase: Check = async ({ damage }) => damage;

/** What is wrong with what lies at `path`, where that is no whole database that this version reads. */
export function databaseFaults(path: string): readonly Finding[] {
  const [first, ...more] = damageIn(path);
  if (first !== undefined)
    return [
      {
        about: path,
        what: `is damaged (${first}${more.length === 0 ? "" : `, and ${more.length} more`}): what it says cannot be trusted`,
        next: "Stop Flotilla and restore a backup (see Backup in docs/operations.md); keep the damaged file",
      },
    ];
  const fault = schemaFault(path);
  return fault === undefined ? [] : [{ about: path, ...fault }];
}
