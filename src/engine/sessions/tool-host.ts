import { type AgentRecord, LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { reportedText } from "../../domain/blockers/blockers.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { usedWords } from "../../domain/breakers/limit-warning.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import type { HandoffText } from "../../domain/conversation/handoff.ts";
import type { Effect } from "../../domain/kernel/effect.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Intent, Output, ToolHost } from "../../domain/ports/tool-host.ts";
import { blockFault } from "../blockers/block-fault.ts";
import { readIssue, readPullRequest } from "../conversation/read-for-model.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { readable } from "../kernel/readable.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { agentEffect } from "../outbox/effect-rows.ts";
import { levelOn } from "../outbox/level-guard.ts";
import { outputAnswer, outputEffect, refusedOutput } from "../outbox/output-effect.ts";
import { finalizePlan, rescopeTask, supersedeTask } from "../planning/replanning.ts";
import { submitPlan } from "../planning/submit-plan.ts";
import { askHuman } from "../questions/ask-human.ts";
import { submitVerdict } from "../review/submit-verdict.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import type { Meter } from "./meter.ts";
import { safeHost } from "./safe-host.ts";

/** How long a tool waits for its output to be done. */
const OUTPUT_WAIT_MS = 60_000;

const yes = (text: string): ToolAnswer => ({ ok: true, text });
const nope = (text: string): ToolAnswer => ({ ok: false, text });

/** Makes the host side of each agent's tools. */
export class ToolHosts {
  readonly #context: EngineContext;
  readonly #settled: (effectId: number, withinMs: number) => Promise<void>;

  constructor(context: EngineContext, settled: (effectId: number, withinMs: number) => Promise<void>) {
    this.#context = context;
    this.#settled = settled;
  }

  /** Resolves when the effect is settled, or the time is over. */
  settled(effectId: number, withinMs: number): Promise<void> {
    return this.#settled(effectId, withinMs);
  }

  of(agent: AgentRecord, role: Role, period: Pick<Meter, "inbox" | "waited">): ToolHost {
    return safeHost(this.#of(agent, role, period), { site: this.#context.site, issue: agent.issue });
  }

  #of(agent: AgentRecord, role: Role, { inbox, waited }: Pick<Meter, "inbox" | "waited">): ToolHost {
    const context = this.#context;
    let outputs = 0;
    const now = async (): Promise<AgentRecord> =>
      (await context.store.records.get("agent", agent.id)) ?? agent;
    return {
      intend: async (intent) =>
        (intent.kind === "request_review" ? await reviewFault(context, agent) : null) ??
        intend(context, agent, intent),
      askHuman: (asked) => askHuman(context, agent, asked, (intent) => intend(context, agent, intent)),
      submitVerdict: (given) =>
        role.evidence === "verdict"
          ? submitVerdict(context, agent, given, (intent) => intend(context, agent, intent))
          : Promise.resolve(nope("Only a reviewer gives a verdict.")),
      submitPlan: (plan) => submitPlan(context, agent, plan),
      output: (output) => {
        // Ids of tool calls are the model's and may repeat; the count within a period does not.
        outputs += 1;
        return waited.during(() => this.#output(agent, output, outputs));
      },
      writeHandoff: (handoff) => writeHandoff(context, agent, handoff),
      submitEvaluation: () => Promise.resolve(nope("Only an evaluator is asked for this.")),
      finalizePlan: () => finalizePlan(context, agent),
      rescopeTask: (wanted) => rescopeTask(context, agent, wanted),
      supersedeTask: (wanted) => supersedeTask(context, agent, wanted),
      restoreFiles: (paths) => restoreFiles(context, agent, paths),
      readIssue: async (number) => readIssue(context, agent, number ?? agent.issue),
      readPullRequest: async (number) => {
        const wanted = number ?? (await now()).prNumber;
        return wanted === null
          ? nope("You have no pull request yet.")
          : readPullRequest(context, agent, wanted);
      },
      checkForEvents: async () => yes((await inbox.news()) ?? "Nothing new."),
      listFleet: () => listFleet(context, agent),
      status: async () => status(context, await now(), role),
    };
  }

  async #output(agent: AgentRecord, output: Output, count: number): Promise<ToolAnswer> {
    const { store, clock } = this.#context;
    const current = (await store.records.get("agent", agent.id)) ?? agent;
    if (current.state !== "ACTIVE" || current.token !== agent.token)
      return nope("Your period is over; nothing was done.");
    const effect: Effect = outputEffect(current, output, { count, digest: this.#context.digest });
    const key = `agent-${agent.id}:t${agent.token}:call-${count}`;
    // In one transaction: calls of one turn run at the same time, and the limit holds for them together.
    const queued = await store.transaction(async (tables) => {
      const settings = this.#context.settingsOf(agent.repositoryId);
      const refused = await refusedOutput(tables, settings, { agent: current, output, effect });
      // Whatever its kind, what a tool puts out is this period's.
      const row = { ...agentEffect(current, effect, key, clock.now()), token: agent.token };
      return refused ?? (await tables.effects.add([row]))[0];
    });
    if (typeof queued === "string") return nope(queued);
    if (queued === undefined) return nope("The output could not be queued. Try again.");
    await this.#settled(queued, OUTPUT_WAIT_MS);
    return outputAnswer(await store.effects.get(queued));
  }
}

/** Tries the intent's guard, then records it; the first of an exchange wins. */
async function intend(context: EngineContext, agent: AgentRecord, intent: Intent): Promise<ToolAnswer> {
  const current = await context.store.records.get("agent", agent.id);
  if (current?.state !== "ACTIVE" || current.token !== agent.token) return nope("Your period is over.");
  if (intent.kind === "report_blocked") {
    const fault = await blockFault(context, agent, intent);
    if (fault !== null) return nope(fault);
  }
  const ref = await worktreeOf(context, agent);
  const head = ref === null ? null : (await context.worktrees.status(ref)).head;
  const row = await context.store.intents.add({
    agentId: agent.id,
    token: agent.token,
    kind: intent.kind,
    payload: intent,
    commit: head,
    createdAt: context.clock.now(),
  });
  context.crashPoint("turn:intent");
  if (row === undefined) return nope("You have reported already; the first report counts.");
  return yes("Recorded. Nothing more runs after this.");
}

async function reviewFault(context: EngineContext, agent: AgentRecord): Promise<ToolAnswer | null> {
  if (!agent.coder)
    return nope("You change no code, so there is nothing of yours to review. Use report_complete.");
  const repository = await repositoryOf(context, agent.repositoryId);
  const level = await levelOn(context, repository, agent.issue).catch(messageOf);
  if (level === "observe" || level === "comment")
    return nope(
      `The level here is ${level}: your work stays on this machine, where nobody reviews it. Use report_complete.`,
    );
  return null;
}

async function restoreFiles(
  context: EngineContext,
  agent: AgentRecord,
  paths: readonly string[],
): Promise<ToolAnswer> {
  const ref = await worktreeOf(context, agent);
  if (ref === null) return nope("You have no worktree.");
  try {
    await context.worktrees.restore(ref, paths);
    return yes(`Restored: ${paths.join(", ")}`);
  } catch (error) {
    return nope(messageOf(error));
  }
}

async function listFleet(context: EngineContext, agent: AgentRecord): Promise<ToolAnswer> {
  const live = await readable(context.store, "agent", {
    repositoryId: agent.repositoryId,
    state: LIVE_AGENT_STATES,
  });
  const lines = live.map((one) => {
    const reported = reportedText(one);
    const waits = reported.length === 0 ? "" : `, waits for ${reported.join(", ")}`;
    return `${one.name}: issue #${one.issue}, ${one.state}${waits}${one.id === agent.id ? " (you)" : ""}`;
  });
  return yes(lines.join("\n"));
}

function status(context: EngineContext, agent: AgentRecord, role: Role): ToolAnswer {
  const allowed = allowanceOf(limitsFor(context.settingsOf(agent.repositoryId), role), agent);
  const active = agent.activeMs + (agent.activeSince === null ? 0 : context.clock.now() - agent.activeSince);
  return yes(
    [
      `agent ${agent.name}, issue #${agent.issue}, attempt ${agent.attempt}, ${agent.state}`,
      `branch ${agent.branch ?? "none"}, pull request ${agent.prNumber === null ? "none" : `#${agent.prNumber}`}`,
      usedWords({ ...agent, activeMs: active }, allowed),
      `active ${Math.round(active / 1000)} s of ${Math.round(allowed.activeMs / 1000)} s`,
      `wakes ${agent.wakes} of ${allowed.wakes}`,
    ].join("\n"),
  );
}

const KEPT = "Kept. A new conversation continues from it.";

/** What the agent leaves to its next conversation: once in each period, however often it is called. */
async function writeHandoff(
  { store, clock }: EngineContext,
  agent: AgentRecord,
  handoff: HandoffText,
): Promise<ToolAnswer> {
  return store.transaction(async (tables): Promise<ToolAnswer> => {
    const current = await tables.records.get("agent", agent.id);
    if (current?.state !== "ACTIVE" || current.token !== agent.token)
      return { ok: false, text: "Your period is over." };
    const before = (await tables.handoffs.ofAgent(agent.id)).at(-1);
    const isKept =
      before?.writtenBy === "agent" &&
      before.sessionId === current.sessionId &&
      before.createdAt >= (current.activeSince ?? 0);
    if (!isKept)
      await tables.handoffs.add({
        agentId: agent.id,
        sessionId: current.sessionId,
        cause: "context",
        writtenBy: "agent",
        ...handoff,
        repeated: null,
        createdAt: clock.now(),
      });
    return { ok: true, text: KEPT };
  });
}
