import { type SqlBool, sql } from "kysely";
import type { Abandoned } from "../../../domain/kernel/rows.ts";

/** Columns of a row that nobody has leased. */
export const NO_LEASE = { leaseToken: null, leaseNode: null } as const;

/**
 * Selects leases that nobody holds any more: all, or those of some nodes and those that have ended. A row without a node
 * was leased before leases had one, by the only process that there was.
 */
export const abandonedRows = ({ nodes, now }: Abandoned, kinds?: readonly string[]) => {
  if (nodes === null) return sql<SqlBool>`true`;
  const ended = sql<SqlBool>`(lease_node is null or leased_until <= ${now})`;
  if (nodes.length === 0) return ended;
  const ofKind = kinds === undefined ? sql<SqlBool>`true` : sql<SqlBool>`kind in (${sql.join(kinds)})`;
  return sql<SqlBool>`(${ended} or (lease_node in (${sql.join(nodes)}) and ${ofKind}))`;
};
