import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isCoder, type Role } from "../../domain/agents/role.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { taskOf } from "../kernel/find-records.ts";

/** Returns the coder role by name; without a name, the first one. */
export function coderFor({ roles }: Pick<Settings, "roles">, name: string | null): Role | undefined {
  return name === null ? [...roles.values()].find(isCoder) : coderNamed(roles.get(name));
}

const coderNamed = (role: Role | undefined) => (role !== undefined && isCoder(role) ? role : undefined);

/** Returns the numbers of the sub-issues that the planner has opened, in order. */
export async function partsOf(
  tables: Pick<Tables, "effects">,
  agent: AgentRecord,
): Promise<readonly number[]> {
  const rows = await tables.effects.find({ agentId: agent.id, kind: "create_sub_issue", state: "done" });
  return rows.flatMap(({ result }) => numberOf(result) ?? []);
}

/** Returns the tasks of those that are drafts, on which nobody works yet. */
export async function draftPartsOf(tables: Tables, agent: AgentRecord): Promise<readonly TaskRecord[]> {
  const parts = await partsOf(tables, agent);
  const tasks = await Promise.all(parts.map((issue) => taskOf(tables, agent.repositoryId, issue)));
  return tasks.filter((task) => task !== undefined).filter(({ state }) => state === "DRAFT");
}

function numberOf(result: EffectRow["result"]): number | undefined {
  return typeof result === "object" &&
    result !== null &&
    "number" in result &&
    typeof result.number === "number"
    ? result.number
    : undefined;
}
