import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { LeftOut } from "../../../domain/kernel/claim-turns.ts";
import type { Abandoned } from "../../../domain/kernel/rows.ts";
import { dialect } from "../sql/dialect.ts";

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

/** Excludes whom a claim leaves out. `id`: the repository's id in a row, 0 for none. A repository that is not recorded has the owner "". */
export const isNotExcept = (except: LeftOut | null, id: RawBuilder<unknown>) => {
  if (except === null) return sql<SqlBool>`true`;
  const [repositories, owners] = exceptValues(except);
  const owner = sql`coalesce((select repository.owner from repository where repository.id = ${id}), '')`;
  return sql<SqlBool>`(${id} not in ${dialect.values(repositories, "number")}
    and (${id} = 0 or ${owner} not in ${dialect.values(owners, "text")}))`;
};

/** Returns the values of the parameters of `isNotExcept`, in order. */
export const exceptValues = ({ repositories, owners }: LeftOut): readonly [string, string] => [
  JSON.stringify(repositories),
  JSON.stringify(owners),
];
