import { type SqlBool, sql } from "kysely";
import type { Abandoned } from "../../../domain/kernel/rows.ts";

/** Columns of a row that nobody has leased. */
export const NO_LEASE = { leaseToken: null, leaseNode: null } as const;

/**
 * Selects leases that nobody holds any more: all, or those of one node and those that have ended. A row without a node
 * was leased before leases had one, by the only process that there was.
 */
export const abandonedRows = ({ node, now }: Abandoned) =>
  node === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(lease_node is null or lease_node = ${node} or leased_until <= ${now})`;
