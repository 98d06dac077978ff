import { parseAgentKey } from "../core/agent-key.ts";
import type { AgentRecord } from "../core/machines/agent-record.ts";
import type { Tables } from "../core/ports/store.ts";
import { parseFullName } from "../core/repository.ts";

/** The agent that a key such as `owner/name:feat-dev-issue-42` names; undefined when there is none. */
export async function findAgent(
  store: Pick<Tables, "lists" | "repositories">,
  key: string,
): Promise<AgentRecord | undefined> {
  const parsed = parseAgentKey(key);
  const name = parsed === undefined ? undefined : parseFullName(parsed.repository);
  const repository = name === undefined ? undefined : await store.repositories.byName(name.owner, name.name);
  if (parsed === undefined || repository === undefined) return undefined;
  return store.lists.agentNamed(repository.id, parsed.name);
}
