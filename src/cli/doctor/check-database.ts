import { checkDatabase } from "../../adapters/store/sqlite/check-database.ts";
import type { Finding } from "../../server/start-checks/finding.ts";

/** Whether what lies at `path` is a whole database of this version or an older one. */
export function databaseFaults(path: string): readonly Finding[] {
  const { damage, newer } = checkDatabase(path);
  const [first, ...more] = damage;
  if (first !== undefined)
    return [
      {
        about: path,
        what: `is damaged (${first}${more.length === 0 ? "" : `, and ${more.length} more`}): what it says cannot be trusted`,
        next: "Stop Flotilla and restore a backup (see Backup in docs/operations.md); keep the damaged file",
      },
    ];
  if (newer.length === 0) return [];
  return [
    {
      about: path,
      what: `was written by a newer flotilla (${newer.join(", ")}): this one does not start on it`,
      next: "Run that version, or restore a backup made before it",
    },
  ];
}
