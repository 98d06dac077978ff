import { type AgentRecord, isLive } from "../../domain/agents/agent-record.ts";
import { type LocalHandoff, localHandoff } from "../../domain/conversation/local-handoff.ts";
import type { RunEventRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { restorable } from "../../domain/tasks/archive.ts";
import type { SeenAgent } from "./agent-view.ts";

/** Pieces of model text that are read: an agent writes a few in a second. */
const PIECES = 200;
/** Verdicts that are named. */
const VERDICTS = 3;

/** Collects what a person needs to continue an agent's work on their own machine. */
export async function agentHandoff(
  store: Tables,
  { agent, around, view }: SeenAgent,
  site: string,
): Promise<LocalHandoff> {
  const { id, repositoryId, issue } = agent;
  const evidence = (await store.evidence.ofAgent(id)).filter(({ kind }) => kind === "command");
  const task = (await store.records.find("task", { repositoryId, issue })).at(-1);
  const verdicts = task === undefined ? [] : await store.verdicts.ofTask(task.id);
  return localHandoff({
    agent,
    key: view.key,
    repository: view.repository,
    site,
    issue,
    title: view.title,
    headline: view.headline,
    now: view.now,
    next: view.next,
    isMerged: agent.coder && around.task === "MERGED",
    isLive: isLive(agent),
    hasArchive: restorable(await store.archives.ofAgents([id])).length > 0,
    issueText: (await store.issueTexts.of(repositoryId, issue)) ?? null,
    plan: around.run?.plan ?? null,
    handoff: (await store.handoffs.ofAgent(id)).at(-1) ?? null,
    said: saidIn(await store.runEvents.said(id, PIECES)),
    questions: [...around.questions.map(({ text }) => text), ...asksOf(agent)],
    commands: evidence.filter(({ intentId }) => intentId === evidence.at(-1)?.intentId),
    verdicts: verdicts.filter(({ state }) => state === "current").slice(-VERDICTS),
  });
}

/** Joins the pieces of each turn. */
function saidIn(rows: readonly RunEventRow[]): readonly string[] {
  const turns = new Map<number, string>();
  for (const { turn, event } of rows)
    if (event.type === "stream:token")
      turns.set(turn ?? 0, `${turns.get(turn ?? 0) ?? ""}${event.data.text}`);
  return [...turns.values()].map((text) => text.trim()).filter((text) => text !== "");
}

function asksOf({ state, reason }: AgentRecord): readonly string[] {
  return state === "ESCALATED" && reason !== null ? [reason] : [];
}
