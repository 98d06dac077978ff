import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import { PLAN_FIRST, workByPlan } from "../../domain/planning/plan-first.ts";
import { isPlanLabel } from "../../domain/planning/plan-label.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import { PLAN_TOOL } from "../../domain/sessions/tool-names.ts";
import { advanceHolder, note } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { appendAskedEvent } from "../kernel/run-events.ts";
import { planHash } from "../questions/decide-approval.ts";
import type { ToolCheck } from "../sessions/tool-check.ts";
import { leavePlanning } from "./leave-planning.ts";

/** Characters of a plan, as the tool allows. */
const LONGEST_PLAN = 8000;

/** Returns whether this agent must have a plan approved and no person has approved one yet. */
export async function needsPlan({ store }: Pick<EngineContext, "store">, agentId: number): Promise<boolean> {
  // Read again, because the label is known only when the first message is written.
  const agent = await store.records.get("agent", agentId);
  return agent?.planFirst === true && (await store.approvals.plan(agentId)) === undefined;
}

/**
 * Lets an agent whose plan comes first change nothing before a person approves it: reading tools, the plan
 * and reports pass. Refuses every call after the plan is submitted, and the exchange ends.
 */
export function planCheck(context: EngineContext, agent: AgentRecord): ToolCheck {
  return async ({ toolName }) => {
    if (!(await needsPlan(context, agent.id))) return { allow: true };
    const asked = await context.store.approvals.asked(agent.id, agent.token);
    if (asked.some(({ kind }) => kind === "plan"))
      return {
        allow: false,
        reason: "Your plan waits for a person. Nothing runs until then; you are woken with the answer.",
        endExchange: true,
      };
    if (context.toolKind(toolName, agent) !== "write") return { allow: true };
    return {
      allow: false,
      reason: `plan_first: a person approves your plan before anything is changed. Read what you need, then call ${PLAN_TOOL}.`,
      endExchange: false,
    };
  };
}

/**
 * Returns the note about the plan for a new conversation. The label requires one of a coder that can
 * submit it.
 */
export async function planNews(
  context: EngineContext,
  agent: AgentRecord,
  labels: readonly string[],
): Promise<readonly string[]> {
  const { store, roleOf } = context;
  const asked = labels.some(isPlanLabel) && agent.coder && roleOf(agent)?.tools.includes(PLAN_TOOL);
  if (!agent.planFirst && !asked) return [];
  if (!agent.planFirst) await store.transaction((tables) => note(tables, agent.id, { planFirst: true }));
  const approved = await store.approvals.plan(agent.id);
  return [approved === undefined ? PLAN_FIRST : workByPlan(approved)];
}

/** Asks a person about the plan; the agent sleeps until the answer when its exchange ends. */
export async function askForPlan(
  context: EngineContext,
  agent: AgentRecord,
  plan: string,
): Promise<ToolAnswer> {
  const text = cleanText(plan.trim(), context.redact, LONGEST_PLAN);
  const hash = planHash(context, text);
  const before = await context.store.approvals.latest(agent.id, hash);
  if (before?.state === "denied")
    return { ok: false, text: `A person sent exactly this plan back: ${before.reason}. Change it.` };
  if ((await leavePlanning(context, agent, text)) === "fenced") return OVER;
  const at = context.clock.now();
  const { fenced } = await advanceHolder(
    context,
    agent,
    {},
    {
      also: async (tables) => {
        const run = await runOf(tables, agent.id);
        if (run !== undefined && run.plan !== text)
          await tables.records.save("run", run, { ...run, plan: text });
        const { id: agentId, token } = agent;
        const call = { kind: "plan", detail: "plan first", tool: PLAN_TOOL, input: text, hash } as const;
        if (await tables.approvals.ask({ ...call, agentId, token, createdAt: at }))
          await appendAskedEvent(context, tables, agent, { kind: "plan", subject: PLAN_TOOL });
      },
    },
  );
  return fenced
    ? OVER
    : { ok: true, text: "A person is asked about your plan. Stop here; you are woken with the answer." };
}

const OVER: ToolAnswer = { ok: false, text: "Your period is over; nothing was recorded." };
