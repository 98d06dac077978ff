import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import { type Answer, ok } from "./answer.ts";
import { runEventJson } from "./json.ts";

/** Rows of one answer. */
const PAGE = 1000;

const NO_CURSOR: Answer = {
  status: 400,
  body: {
    error: "invalid_argument",
    hint: "?after= takes the `next` of the answer before, or 0 for the beginning",
  },
};

/**
 * `GET /api/agents/{id}/transcript?after=0`: what an agent said, called and met, the oldest first, in the form of
 * `/api/events`. `next` is where to ask on, null when there is no more for now.
 */
export async function transcriptAnswer(
  store: Pick<Tables, "runEvents" | "repositories">,
  agent: AgentRecord,
  query: URLSearchParams,
): Promise<Answer> {
  const after = query.get("after") ?? "0";
  if (!/^\d{1,15}$/.test(after)) return NO_CURSOR;
  const repository = await store.repositories.get(agent.repositoryId);
  const rows = await store.runEvents.after(Number(after), { limit: PAGE, agentId: agent.id });
  return ok({
    transcript: rows.map((row) => runEventJson(row, agent, repository)),
    next: rows.length === PAGE ? (rows.at(-1)?.id ?? null) : null,
  });
}
