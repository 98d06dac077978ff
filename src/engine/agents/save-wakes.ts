import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { hasReported, type IssueRef } from "../../domain/blockers/blockers.ts";
import { type OtherWork, otherWorkText } from "../../domain/conversation/other-work.ts";
import type { NewWake } from "../../domain/kernel/change-set.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { waitingFor } from "../blockers/dependents.ts";
import { otherWorkOn } from "../conversation/other-work.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext, StepContext, Stepped } from "../kernel/engine-context.ts";
import type { TransitionRequest } from "../kernel/transition-request.ts";

/** Saves the wakes of a change set. */
export async function saveWakes(
  _: EngineContext,
  tables: Tables,
  { at, changes }: TransitionRequest,
): Promise<void> {
  for (const newWake of changes.wakes) {
    const { blocker: _blocker, ...wake } = newWake;
    const reason = await reasonOf(tables, newWake, changes.approvals.length > 0);
    await tables.wakes.add({ ...wake, reason, detail: await detailOf(tables, newWake), createdAt: at });
  }
}

/**
 * Returns why the agent is woken. A verdict on one of several calls does not end its sleep before each is answered:
 * otherwise a question about the next call would end the exchange in which the allowed one runs, once.
 */
async function reasonOf(
  { records, approvals }: Tables,
  { agentId, reason }: NewWake,
  isVerdict: boolean,
): Promise<NewWake["reason"]> {
  const agent = isVerdict ? await records.get("agent", agentId) : undefined;
  const left = agent === undefined ? [] : await approvals.asked(agentId, agent.token);
  return left.length === 0 ? reason : "message";
}

/**
 * Returns the text of a wake. A blocker's wake includes the work that our agent left on that issue, read
 * after the transitions of the same request.
 */
async function detailOf(tables: Tables, { agentId, detail, blocker }: NewWake): Promise<string> {
  const work = blocker === undefined ? null : await workFor(tables, agentId, blocker);
  return work === null ? detail : `${detail}\n${otherWorkText(work)}`;
}

async function workFor(tables: Tables, agentId: number, blocker: IssueRef): Promise<OtherWork | null> {
  const agent = await tables.records.get("agent", agentId);
  const home = agent && (await tables.repositories.get(agent.repositoryId));
  const name = parseFullName(blocker.repository);
  const repository = name && (await tables.repositories.byName(name.owner, name.name));
  if (!home || !repository) return null;
  return otherWorkOn(tables, { repositoryId: repository.id, issue: blocker.number }, home);
}

/** Returns the work that our agents left on the issues that this agent reported as blockers. */
export async function workWaitedFor(tables: Tables, agent: AgentRecord): Promise<readonly OtherWork[]> {
  const home = await tables.repositories.get(agent.repositoryId);
  if (home === undefined) return [];
  const { repositoryId } = agent;
  const places = [
    ...agent.blockedBy.map((issue) => ({ repositoryId, issue })),
    ...agent.blockedElsewhere.map((one) => ({ repositoryId: one.repositoryId, issue: one.number })),
  ];
  const found = await Promise.all(places.map((place) => otherWorkOn(tables, place, home)));
  return found.filter((work) => work !== null);
}

/** Saves what the person who started a new agent tells it: its first message has it. */
export async function saveStartWords(
  { tables }: StepContext,
  { before, after, event }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (before !== undefined || !("words" in event) || event.words === undefined) return;
  const { words: detail, at } = event;
  const key = `start-words:${after.id}`;
  const grant = null;
  await tables.wakes.add({
    key,
    agentId: after.id,
    reason: "message",
    detail,
    grant,
    dueAt: at,
    createdAt: at,
  });
}

/**
 * Requests a recheck of an issue whose agent has completed. One effect, of one agent that sleeps for the
 * issue, checks for all of them whether the wait is over.
 */
export async function requestRecheck(
  tx: StepContext,
  { before, after }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (after.state !== "COMPLETED" || before?.state === "COMPLETED" || after.ephemeral) return;
  const { tables, request } = tx;
  const { repositoryId, issue } = after;
  const repository = await tables.repositories.get(repositoryId);
  if (repository === undefined) return;
  const { asleep } = await waitingFor({ store: tables }, repository, issue);
  const woken = new Set(request.changes.wakes.map(({ agentId }) => agentId));
  const sleeper = asleep.find(
    (one) => one.state === "SLEEPING" && hasReported(one, repositoryId, issue) && !woken.has(one.id),
  );
  if (sleeper === undefined) return;
  const where = sleeper.repositoryId === repositoryId ? {} : { repositoryId };
  const recheck = { kind: "recheck_blocker", blocker: issue, ...where } as const;
  await tables.effects.add([
    agentEffect(sleeper, recheck, `blocker-completed:${after.id}:v${after.version}`, request.at),
  ]);
}
