import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Store } from "../core/ports/store.ts";
import { transcriptAnswer } from "./agent-transcript.ts";
import { type AgentViewParts, agentView } from "./agent-view.ts";
import { type Answer, NOT_FOUND, ok } from "./answer.ts";
import { effectsAsJson } from "./effect-json.ts";
import { decisionJson, transitionJson } from "./json.ts";
import { MACHINES } from "./machine-json.ts";
import { waitingOf } from "./waiting.ts";

/** What an agent changed, or why it cannot be shown. */
export type AgentDiff =
  | { readonly files: readonly string[]; readonly patch: string; readonly cut: boolean }
  | { readonly why: string };

export interface AgentReadParts extends AgentViewParts {
  readonly store: Store;
  readonly diff: (agent: AgentRecord) => Promise<AgentDiff>;
}

const DECISIONS_READ = 200;

/** `/api/agents/{id}/{more}`: what is kept of one agent. */
export async function agentRead(
  parts: AgentReadParts,
  agent: AgentRecord,
  more: string,
  query: URLSearchParams,
): Promise<Answer> {
  const { store } = parts;
  switch (more) {
    case "transitions": {
      const rows = await store.transitions.ofAgent(agent.id);
      return ok({ transitions: rows.map((each) => transitionJson(each, agent)) });
    }
    case "view": {
      const view = await agentView(parts, agent);
      return ok({ agent: view, waiting: await waitingOf(store, agent, view), machines: MACHINES });
    }
    case "decisions": {
      const rows = await store.decisions.ofIssue(agent.repositoryId, agent.issue, DECISIONS_READ);
      const about = rows.filter(({ agentId }) => agentId === null || agentId === agent.id);
      return ok({ decisions: about.map(decisionJson) });
    }
    case "effects":
      return ok({ effects: await effectsAsJson(store, await store.effects.find({ agentId: agent.id })) });
    case "transcript":
      return transcriptAnswer(store, agent, query);
    case "diff":
      return ok({ diff: await parts.diff(agent) });
    default:
      return NOT_FOUND;
  }
}
