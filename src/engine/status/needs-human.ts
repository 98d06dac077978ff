import { mergesWork } from "../../domain/access/level-of.ts";
import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { needsHuman } from "../../domain/status/needs-human.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { StepContext, Stepped } from "../kernel/engine-context.ts";

interface Read {
  readonly tables: Pick<Tables, "records" | "repositories">;
  readonly settings: Pick<Settings, "merge" | "level" | "levels">;
}

/** Reads the facts that decide whether an issue waits for a person. */
export async function readNeedFacts({ tables, settings }: Read, repositoryId: number, issue: number) {
  const agents = await tables.records.find("agent", { repositoryId, issue });
  const last = (await tables.records.find("task", { repositoryId, issue })).at(-1);
  const task = last?.state ?? null;
  const repository = settings.merge.auto ? await tables.repositories.get(repositoryId) : undefined;
  const merges =
    repository !== undefined && last !== undefined && mergesWork(settings, fullName(repository), last);
  return { agents, task, merges };
}

/** Adds the label effect after an agent's move when it changes whether a person must act. */
export async function labelNeed(
  { context: { settings }, tables, request }: StepContext,
  { before, after }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (request.gone === true) return;
  const { repositoryId, issue, id, version } = after;
  const now = await readNeedFacts({ tables, settings }, repositoryId, issue);
  const earlier = now.agents.flatMap((agent) => (agent.id === id ? (before ?? []) : agent));
  const [was, is] = [needsHuman({ ...now, agents: earlier }), needsHuman(now)];
  // An escalation sets the label itself; its end removes the label even while another agent still waits.
  const due = before?.state === "ESCALATED" ? is : after.state !== "ESCALATED" && was !== is;
  if (!due) return;
  const row = issueEffect({ repositoryId, issue, effect: { kind: "task_label" }, at: request.at });
  await tables.effects.add([{ ...row, key: `agent-${id}:v${version}:need-label` }]);
}
