import { type Risk, riskOf } from "../../domain/access/risk.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { weakenedComment } from "../../domain/evidence/weakened-text.ts";
import { StaleSnapshot } from "../../domain/kernel/errors.ts";
import { partsOfTool } from "../../domain/mcp/tool-name.ts";
import { planComment, planKey } from "../../domain/planning/plan-comment.ts";
import type { ToolCall } from "../../domain/ports/agent-runtime.ts";
import {
  type ApprovalRow,
  approvalComment,
  askedText,
  canonicalCall,
  riskText,
  SHORT_HASH,
  saidNo,
} from "../../domain/questions/approval.ts";
import { advanceHolder, agentMove } from "../kernel/advance-agent.ts";
import { agentEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { isHolder, PERIOD_OVER } from "../kernel/is-holder.ts";
import { appendAskedEvent, clean } from "../kernel/run-events.ts";
import { runtimeToolsOf } from "../kernel/runtime-of.ts";
import type { ExchangeStop } from "../sessions/exchange-stop.ts";
import type { CheckAnswer, ToolCheck } from "../sessions/tool-check.ts";

/**
 * Checks calls under `runtime.permission_mode: ask`: refuses a risky call and ends the exchange until a
 * person has approved exactly this call, which then passes once. The approval is used up before the call
 * runs, so that a crash cannot repeat it, and only in an exchange that lets the call run to its end.
 */
export function approvalCheck(context: EngineContext, agent: AgentRecord, stop: ExchangeStop): ToolCheck {
  if (context.settings.runtime.permissionMode !== "ask") return () => ({ allow: true });
  const { protectedPaths } = context.settingsOf(agent.repositoryId).policy;
  return async (call) => {
    const worktree = agent.worktreePath ?? (await context.directories.workplace(agent.id));
    const tool = runtimeToolsOf(context, agent).get(call.toolName);
    const reach = { command: tool?.command?.(call.args) ?? null, paths: tool?.paths?.(call.args) ?? [] };
    // What a server does is outside of what we see.
    const server = tool === undefined ? partsOfTool(call.toolName)?.server : undefined;
    const risk: Risk | null =
      server === undefined
        ? riskOf(reach, { worktree, protectedPaths })
        : { kind: "mcp_server", detail: server };
    return risk === null ? { allow: true } : stop.judges(() => judged(context, { agent, call, risk, stop }));
  };
}

interface RiskyCall {
  readonly agent: AgentRecord;
  readonly call: ToolCall;
  readonly risk: Risk;
  readonly stop: ExchangeStop;
}

const NOT_NOW =
  "It did not run, because another call of this message ends your turn. A person's approval of it is kept: make it again later.";

async function judged(context: EngineContext, { agent, call, risk, stop }: RiskyCall): Promise<CheckAnswer> {
  const at = context.clock.now();
  const hash = context.digest(canonicalCall(call));
  const { store } = context;
  const use = () =>
    store.transaction(
      async (tables) => (await isHolder(tables, agent)) && tables.approvals.use(agent.id, hash),
    );
  if (!stop.isDue && (await use())) return { allow: true };
  return store.transaction(async (tables): Promise<CheckAnswer> => {
    // Calls of one turn are checked concurrently: the question about another may have ended the exchange meanwhile.
    if (!(await isHolder(tables, agent))) return PERIOD_OVER;
    const before = await tables.approvals.latest(agent.id, hash);
    if (before?.state === "granted") return { allow: false, reason: NOT_NOW, endExchange: true, asked: hash };
    if (before?.state === "denied")
      return { allow: false, reason: saidNo(before.reason), endExchange: false };
    const { id: agentId, token } = agent;
    const input = clean(context, JSON.stringify(call.args, null, 2) ?? "");
    const detail = clean(context, risk.detail);
    const row = { agentId, token, kind: risk.kind, detail, tool: call.toolName, input, hash, createdAt: at };
    if (await tables.approvals.ask(row))
      await appendAskedEvent(context, tables, agent, {
        kind: risk.kind,
        subject: `${call.toolName} ${hash.slice(0, SHORT_HASH)}`,
      });
    return {
      allow: false,
      reason: `A person is asked: ${riskText(risk)}. You are woken with the answer.`,
      endExchange: true,
      asked: hash,
    };
  });
}

/**
 * Puts the agent to sleep for approval after an exchange in which a person was asked, with one comment about
 * its plan or calls. Returns false when nobody was asked.
 */
export async function sleepForApproval(context: EngineContext, agent: AgentRecord): Promise<boolean> {
  for (;;) {
    const asked = await context.store.approvals.asked(agent.id, agent.token);
    const [first] = asked;
    if (first === undefined) return false;
    if (await sleepUntilAnswered(context, agent, first, asked)) return true;
  }
}

/** Returns false, and does nothing, when a call was asked about or answered since `asked` was read. */
async function sleepUntilAnswered(
  context: EngineContext,
  agent: AgentRecord,
  first: ApprovalRow,
  asked: readonly ApprovalRow[],
): Promise<boolean> {
  const at = context.clock.now();
  const detail = first.kind === "plan" ? "the plan" : askedText(first, asked.slice(1));
  const wait = { type: "WAIT", at, actor: "flotilla", reason: "approval", dueAt: null } as const;
  const comment = { kind: "post_comment", ...askingComment(agent, first, asked) } as const;
  try {
    await advanceHolder(
      context,
      agent,
      { moves: [agentMove(agent, { ...wait, crash: false, breaker: null, detail })] },
      {
        also: async (tables) => {
          const now = await tables.approvals.asked(agent.id, agent.token);
          if (now.map(({ id }) => id).join() !== asked.map(({ id }) => id).join())
            throw new StaleSnapshot("approval", first.id);
          await tables.effects.add([agentEffect(agent, comment, `approval-${first.id}`, at)]);
        },
      },
    );
    return true;
  } catch (error) {
    if (error instanceof StaleSnapshot && error.machine === "approval") return false;
    throw error;
  }
}

function askingComment(agent: AgentRecord, first: ApprovalRow, asked: readonly ApprovalRow[]) {
  return first.kind === "plan"
    ? { name: planKey(first.id), body: planComment(agent.role, first) }
    : {
        name: `${agent.name}-approval-${first.id}`,
        body:
          first.kind === "weakened_tests" && asked.length === 1
            ? weakenedComment(agent.role, first)
            : approvalComment(agent.role, asked),
      };
}
