import type { IdsByRepository } from "../../../domain/ports/agent-tables.ts";

/** Groups what a query found, in its order. */
export function idsByRepository(
  found: readonly { readonly id: number; readonly repositoryId: number }[],
): IdsByRepository {
  const ids = new Map<number, number[]>();
  for (const { id, repositoryId } of found) {
    const own = ids.get(repositoryId);
    if (own === undefined) ids.set(repositoryId, [id]);
    else own.push(id);
  }
  return ids;
}
