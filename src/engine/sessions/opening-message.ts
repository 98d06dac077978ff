import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import { isCoder, isRetrospective } from "../../domain/agents/role.ts";
import { type HandoffRow, handoffBrief } from "../../domain/conversation/handoff.ts";
import { firstMessage, type Prompt, wakesMessage } from "../../domain/conversation/prompts.ts";
import { bounded, wakeBrief } from "../../domain/conversation/wake-brief.ts";
import { ownHandoffText } from "../../domain/conversation/wake-brief-sections.ts";
import { NEW } from "../../domain/kernel/state-machine.ts";
import type { PictureSource } from "../../domain/pictures/picture-links.ts";
import { blockedMessage, canReplan } from "../../domain/planning/replanning.ts";
import { backportNote } from "../../domain/tasks/backport.ts";
import { offersPatch } from "../../domain/tasks/fix-pull.ts";
import { issueForModel, issuePictures } from "../conversation/issue-for-model.ts";
import { readCommentsSince, wakeBriefSections } from "../conversation/wake-brief-sections.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { lessonOpening } from "../lessons/opening.ts";
import { takenOver } from "../merge-queue/taken-over.ts";
import { planNews } from "../planning/plan-first.ts";
import { reviewOpening } from "../review/opening.ts";

/** Characters of news in the first message of a conversation that replaces a lost one. */
const MOST_NEWS = 5000;

/**
 * Returns the first message of a period: the issue for a new conversation, the wake brief for a continued
 * one. `base` is the result of `readBaseNews`, started earlier.
 */
export async function openingMessage(
  context: EngineContext,
  agent: AgentRecord,
  { resumed, base }: { readonly resumed: boolean; readonly base: Promise<string | null> },
): Promise<Prompt> {
  const wakes = await context.store.wakes.pending(agent.id);
  const told = wakes.map((wake) => wake.id);
  const since = await asleepSince(context, agent);
  const pictures: PictureSource[] = [];
  if (resumed) {
    const last = (await context.store.handoffs.ofAgent(agent.id)).at(-1);
    const news = [
      ...(since === null ? [] : await wakeBriefSections(context, agent, { since, wakes, base, pictures })),
      ...(last === undefined ? [] : [ownHandoffText(last)]),
    ];
    const sleptMs = since === null || agent.activeSince === null ? null : agent.activeSince - since;
    const text = wakeBrief({ wakes, sleptMs, branch: agent.branch, pull: agent.prNumber, news });
    return { text, told, pictures };
  }
  if (context.roleOf(agent)?.evidence === "verdict") return reviewOpening(context, agent);
  const role = context.roleOf(agent);
  if (role !== undefined && isRetrospective(role)) return lessonOpening(context, agent);
  const settings = context.settingsOf(agent.repositoryId);
  const repository = await repositoryOf(context, agent.repositoryId);
  const issue = await context.github.issue(repository, agent.issue);
  const shown = await issueForModel(context, repository, issue);
  pictures.push(...(await issuePictures(context, repository, issue, shown)));
  const before = await lastHandoff(context, agent);
  const task = await taskOf(context.store, agent.repositoryId, agent.issue);
  // An agent whose conversation was never open was not interrupted.
  const why = await whyThisAttempt(context, agent);
  const taken = await takenOver(context, agent, why);
  const stopped = since === null ? await stoppedAt(context, agent) : null;
  const news = since === null ? wakes.filter(({ reason }) => reason !== "retry") : wakes;
  return {
    text: firstMessage({
      issue: shown,
      branch: agent.branch,
      base: task?.base ?? null,
      pull: agent.prNumber,
      ...(isOnPull(agent) ? { theirs: { patch: offersPatch(agent, settings) } } : {}),
      attempt: agent.attempt,
      before: why,
      setup: agent.worktreePath === null ? [] : settings.setup.commands,
      checks: role !== undefined && isCoder(role) ? settings.evidence.commands : [],
      news: [
        ...(task?.backport == null || agent.branch === null ? [] : [backportNote(task.backport)]),
        ...(taken === null ? [] : [taken]),
        ...(await planNews(context, agent, issue.labels)),
        ...(await blockedTask(context, agent)),
        ...(before === undefined
          ? []
          : [handoffBrief(before.handoff, { ...before, runtime: agent.runtime })]),
        ...(news.length === 0 ? [] : [wakesMessage(news)]),
        ...(stopped === null
          ? []
          : bounded(await readCommentsSince(context, agent, { since: stopped, wakes, pictures }), MOST_NEWS)),
        ...(since !== null && lostAtWaking(before?.handoff)
          ? bounded(await wakeBriefSections(context, agent, { since, wakes, base, pictures }), MOST_NEWS)
          : []),
      ],
    }),
    told,
    pictures,
  };
}

/** Returns the note about a BLOCKED task, for a role that replans it. */
async function blockedTask(context: EngineContext, agent: AgentRecord): Promise<readonly string[]> {
  const role = context.roleOf(agent);
  if (role === undefined || !canReplan(role)) return [];
  const task = await taskOf(context.store, agent.repositoryId, agent.issue);
  return task?.state === "BLOCKED" ? [blockedMessage(agent.issue, task.blockedReason ?? "")] : [];
}

/**
 * Returns what started a later attempt, from its first transition: the agent's own reason changes with each
 * sleep.
 */
async function whyThisAttempt({ store }: EngineContext, agent: AgentRecord): Promise<string | null> {
  if (agent.attempt === 1) return agent.reason;
  const moves = await store.transitions.ofAgent(agent.id);
  const newAgent = moves.find(({ machine, from }) => machine === "agent" && from === NEW);
  return newAgent?.reason ?? agent.reason;
}

/**
 * Returns the previous conversation's handoff: the agent's own, or that of the previous attempt with its runtime in `before`.
 */
async function lastHandoff(
  context: EngineContext,
  agent: AgentRecord,
): Promise<{ readonly handoff: HandoffRow; readonly before: string | null } | undefined> {
  const { store } = context;
  const own = (await store.handoffs.ofAgent(agent.id)).at(-1);
  if (own !== undefined) return { handoff: own, before: null };
  const last = await attemptBefore(context, agent);
  const its = last === undefined ? undefined : (await store.handoffs.ofAgent(last.id)).at(-1);
  return its === undefined ? undefined : { handoff: its, before: last?.runtime ?? null };
}

async function attemptBefore(
  { store }: EngineContext,
  { repositoryId, issue, role, attempt }: AgentRecord,
): Promise<AgentRecord | undefined> {
  if (attempt === 1) return undefined;
  return (await store.records.find("agent", { repositoryId, issue, role, attempt: attempt - 1 })).at(-1);
}

/**
 * Returns when the work stopped that a first message continues: that of the previous attempt, or this one's
 * at the first error that kept its conversation from opening. Null where nothing stopped.
 */
async function stoppedAt(context: EngineContext, agent: AgentRecord): Promise<number | null> {
  const before = await attemptBefore(context, agent);
  const moves = await context.store.transitions.ofAgent((before ?? agent).id);
  const stops = moves.filter(({ machine, from }) => machine === "agent" && from === "ACTIVE");
  return (before === undefined ? stops[0] : stops.at(-1))?.at ?? null;
}

/** Returns whether the conversation was lost, or its model changed, which is noticed when the agent wakes. */
function lostAtWaking(before: HandoffRow | undefined): boolean {
  return before?.cause === "session_lost" || before?.cause === "model_change";
}

/**
 * Returns when the agent fell asleep after its conversation was last open, from its transitions; null when it
 * never was. In periods in which it could not be opened it read nothing.
 */
async function asleepSince(context: EngineContext, agent: AgentRecord): Promise<number | null> {
  const moves = await context.store.transitions.ofAgent(agent.id);
  const woke = moves.findLastIndex(({ machine, to }) => machine === "agent" && to === "ACTIVE");
  const before = moves.slice(0, Math.max(0, woke));
  const open = before.findLastIndex(({ machine, to }) => machine === "session" && to === "running");
  if (open === -1) return null;
  const slept = before
    .slice(open + 1)
    .find(
      (move) =>
        move.machine === "agent" &&
        move.from === "ACTIVE" &&
        (move.to === "SLEEPING" || move.to === "ESCALATED"),
    );
  return slept?.at ?? null;
}
