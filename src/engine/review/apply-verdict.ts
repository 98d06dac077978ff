import { type AgentRecord, isOnPull } from "../../domain/agents/agent-record.ts";
import { type Prompt, refusedMessage } from "../../domain/conversation/prompts.ts";
import { type ChangeSet, decisionOnly, mergeChanges, NO_CHANGES } from "../../domain/kernel/change-set.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { EXAMINED_VERDICTS, nitStorm, rubberStamp } from "../../domain/review/alarms.ts";
import { onVerdict } from "../../domain/review/on-verdict.ts";
import { pullVerdict } from "../../domain/review/pull-review-text.ts";
import { roleAs } from "../../domain/review/reviewer.ts";
import type { GivenVerdict } from "../../domain/review/verdict.ts";
import { verdictFault } from "../../domain/review/verdict-fault.ts";
import type { CheckedIntent } from "../blockers/check-block-report.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advanceAgent, agentMove, runMove } from "../kernel/advance-agent.ts";
import { agentEffect, issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { leavePlanning } from "../planning/leave-planning.ts";
import { verdictFacts } from "./verdict-facts.ts";

/** How often the verdict is decided again when the same records have changed meanwhile. */
const TRIES = 5;

/**
 * Applies a recorded verdict: task, lease, reviewer and verdict change in one transaction. Checks its guard
 * again here; a refusal goes back to the model. Returns null when the reviewer's period is over.
 */
export async function applyVerdict(
  context: EngineContext,
  agent: AgentRecord,
  checked: CheckedIntent,
): Promise<Prompt | null> {
  const { row, intent } = checked;
  if (row === null || intent?.kind !== "submit_verdict") return null;
  await leavePlanning(context, agent);
  for (let tried = 1; ; tried += 1)
    try {
      const fault = await tryVerdict(context, agent, { intentId: row.id, given: intent });
      if (fault === null) return null;
      await context.store.intents.settle(row.id, "refused", fault);
      return { text: refusedMessage(row.kind, fault), told: [] };
    } catch (error) {
      if (!(error instanceof StaleSnapshot) || tried === TRIES) throw error;
    }
}

/** Returns why the verdict is refused; null once it is applied, or when the reviewer's period is over. */
async function tryVerdict(
  context: EngineContext,
  agent: AgentRecord,
  { intentId, given }: { readonly intentId: number; readonly given: GivenVerdict },
): Promise<string | null> {
  const { store } = context;
  const facts = await verdictFacts(context, store, agent);
  const fault = verdictFault(given, facts);
  const { task, lease } = facts;
  if (fault === null && isOnPull(agent)) return judgePull(context, agent, { intentId, given });
  if (fault !== null || task === null || lease === null) return fault;
  const repository = await repositoryOf(context, agent.repositoryId);
  const view = await readIssueState(context, repository, agent.issue);
  const owner = view.agents.find(({ id }) => id === task.assigneeId);
  const run = await runOf(store, agent.id);
  if (owner === undefined || run === undefined) return "Nobody holds the work any more.";
  const at = context.clock.now();
  const source = `verdict:${intentId}`;
  const base = { at, given, reviewer: agent, leaseToken: lease.token };
  const changes = onVerdict({ ...base, source, task, owner }, view);
  const summary = `${given.verdict === "approve" ? "approved" : "rejected"} ${given.commit.slice(0, 7)}`;
  const by = { at, actor: "agent" };
  await advanceAgent(
    context,
    agent,
    mergeChanges(await alarmsOf(context, agent, { taskId: task.id, given }), {
      ...changes,
      moves: [
        ...(run.state === "executing" ? [runMove(run, { ...by, type: "STEP_COMPLETE" })] : []),
        ...changes.moves,
        agentMove(agent, { ...by, type: "COMPLETE", cause: "evidence", summary }),
      ],
    }),
    {
      name: source,
      holder: { agentId: agent.id, token: agent.token },
      also: async (tables) => {
        // The verdict was decided for these records: a later commit or a person's act decides again.
        const now = await tables.records.get("task", task.id);
        if (now?.version !== task.version) throw new StaleSnapshot("task", task.id);
        await keep(tables, agent, { taskId: task.id, given, at });
        await tables.intents.settle(intentId, "applied", null);
      },
    },
  );
  return null;
}

/** Ends the review of a person's pull request, whose verdict moves nothing, and has it published. */
async function judgePull(
  context: EngineContext,
  agent: AgentRecord,
  { intentId, given }: { readonly intentId: number; readonly given: GivenVerdict },
): Promise<null> {
  const run = await runOf(context.store, agent.id);
  const at = context.clock.now();
  const by = { at, actor: "agent" };
  const moves = [
    ...(run?.state === "executing" ? [runMove(run, { ...by, type: "STEP_COMPLETE" as const })] : []),
    agentMove(agent, { ...by, type: "COMPLETE", cause: "evidence", summary: pullVerdict(given) }),
  ];
  await advanceAgent(
    context,
    agent,
    { moves },
    {
      holder: { agentId: agent.id, token: agent.token },
      also: async ({ effects, intents }) => {
        const effect = { kind: "publish_review" } as const;
        await effects.add([agentEffect(agent, effect, `pull-review:${intentId}`, at)]);
        await intents.settle(intentId, "applied", null);
      },
    },
  );
  return null;
}

async function keep(
  tables: Tables,
  agent: AgentRecord,
  { taskId, given, at }: { readonly taskId: number; readonly given: GivenVerdict; readonly at: number },
): Promise<void> {
  const { commit, verdict, body, comments, evidence } = given;
  const { id } = await tables.verdicts.add({
    taskId,
    agentId: agent.id,
    ...roleAs(agent.role),
    commit,
    approves: verdict === "approve",
    body,
    comments,
    evidence,
    createdAt: at,
  });
  const { repositoryId, issue } = agent;
  const effect = { kind: "publish_verdict", verdict: id } as const;
  await tables.effects.add([
    { ...issueEffect({ repositoryId, issue, effect, at }), key: `verdict-${id}:current` },
  ]);
}

/**
 * Returns a decision, and logs an alarm, for each suspicious pattern in a reviewer's verdicts, this one
 * included.
 */
async function alarmsOf(
  context: EngineContext,
  { id: agentId, role }: AgentRecord,
  { taskId, given }: { readonly taskId: number; readonly given: GivenVerdict },
): Promise<ChangeSet> {
  const { verdicts } = context.store;
  const now = { approves: given.verdict === "approve", comments: given.comments };
  const before = (await verdicts.ofTask(taskId)).filter(({ reviewer }) => reviewer === role);
  const stamp = rubberStamp(role, [now, ...(await verdicts.latestOf(role, EXAMINED_VERDICTS))]);
  const nits = nitStorm(role, [...before, now]);
  for (const reason of [stamp, nits])
    if (reason !== null) context.log.warn({ role, reason }, "reviews look careless");
  const told = { agentId, shown: true };
  return mergeChanges(
    stamp === null
      ? NO_CHANGES
      : decisionOnly("rubber_stamp", stamp, { ...told, change: "read one of them yourself, and its prompt" }),
    nits === null
      ? NO_CHANGES
      : decisionOnly("nit_storm", nits, { ...told, change: "review it yourself, or change its prompt" }),
  );
}
