import type { Store } from "../core/ports/store.ts";
import type { RunEventRow } from "../core/rows.ts";
import { runEventJson } from "./json.ts";

/** Rows as blocks of `text/event-stream`, in their order. JSON holds no line end, so one line of data is enough. */
export async function eventBlocks(
  store: Store,
  rows: readonly RunEventRow[],
): Promise<readonly { readonly id: number; readonly block: string }[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.flatMap(({ agentId }) => agentId ?? []))];
  const agents = new Map((await store.records.find("agent", { id: ids })).map((one) => [one.id, one]));
  const repositories = new Map(
    await Promise.all(
      [...new Set(rows.map(({ repositoryId }) => repositoryId))].map(
        async (id) => [id, await store.repositories.get(id)] as const,
      ),
    ),
  );
  return rows.map((row) => {
    const json = runEventJson(row, agents.get(row.agentId ?? 0), repositories.get(row.repositoryId));
    return {
      id: row.id,
      block: `id: ${row.id}\nevent: ${row.event.type}\ndata: ${JSON.stringify(json)}\n\n`,
    };
  });
}
