import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { NO_CHOICE } from "../../domain/agents/start-choice.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import type { EvaluatorEnd } from "../../domain/evidence/after-evaluator.ts";
import { EVALUATOR_TOOLS, evaluatorFor } from "../../domain/evidence/evaluation.ts";
import { evaluationRequest, evaluatorPrompt } from "../../domain/evidence/evaluation-text.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { duration } from "../../domain/messages/format.ts";
import type {
  ExchangeEnd,
  HostTool,
  RuntimeTools,
  SessionSpec,
  ToolGateAnswer,
} from "../../domain/ports/agent-runtime.ts";
import { explained } from "../../domain/sessions/refused-temperature.ts";
import { EVALUATION_TOOL, mayCall } from "../../domain/sessions/tool-names.ts";
import { runtimeOfRole } from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { issueForModel } from "../conversation/issue-for-model.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { sessionModels } from "../kernel/models-of.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { runtimeOf, runtimeToolsOf } from "../kernel/runtime-of.ts";
import { type Observed, SessionRecord } from "../sessions/session-record.ts";
import type { ToolContext } from "../sessions/tool-context.ts";
import { evaluatorDirectory } from "./evaluator-directory.ts";
import { EvaluatorMeter } from "./evaluator-meter.ts";
import { KeepEvaluation } from "./keep-evaluation.ts";
import type { ClaimedCommit } from "./prove-commands.ts";
import { removeCheckout } from "./remove-checkout.ts";
import { runSingleExchange } from "./run-single-exchange.ts";

/** A claim that an evaluator judges. `signal` ends the conversation. */
export interface AskedClaim extends ClaimedCommit {
  readonly summary: string;
  readonly signal: AbortSignal;
}

/** Creates the evaluator's tools, and receives the evaluation that it submits. */
type EvaluatorTools = (
  allowed: readonly string[],
  keepEvaluation: ToolContext["keepEvaluation"],
) => readonly HostTool[];

/** How often the evaluator is asked before a person is. */
const TRIES = 2;

/**
 * Asks an evaluator about one agent's claims. Each request has its own conversation, process and clean
 * checkout of the claimed commit; all three are removed once the answer is there.
 */
export class Evaluator {
  /** When the last conversation's unanswered model call began; null where there was none. */
  idleSince: number | null = null;
  readonly #context: EngineContext;
  readonly #observed: Observed;
  readonly #toolsFor: EvaluatorTools;

  /** `observed` and the tools are the agent's: the agent pays, and issues are read with its permissions. */
  constructor(context: EngineContext, observed: Observed, toolsFor: EvaluatorTools) {
    this.#context = context;
    this.#observed = observed;
    this.#toolsFor = toolsFor;
  }

  /** Returns what the agent has used of its limits, as text. */
  used(): string {
    return this.#observed.meter.used();
  }

  /** Asks until there is an evaluation, at most twice; the evaluation is stored before this resolves. */
  async ask(agent: AgentRecord, claim: AskedClaim): Promise<EvaluatorEnd> {
    const role = evaluatorFor(this.#context.settingsOf(agent.repositoryId).roles, this.#observed.role);
    let end: EvaluatorEnd = { kind: "silent", detail: "there is no such role" };
    if (role === undefined) return end;
    for (let tried = 0; end.kind === "silent" && tried < TRIES; tried += 1) {
      end = await this.#once(agent, role, claim);
      if (end.kind === "silent")
        this.#context.log.warn(
          { agent: agent.name, detail: end.detail },
          "evaluation failed: the evaluator did not answer",
        );
    }
    return end;
  }

  async #once(agent: AgentRecord, role: Role, claim: AskedClaim): Promise<EvaluatorEnd> {
    const settings = this.#context.settingsOf(agent.repositoryId);
    const { writes, meter: payer } = this.#observed;
    const request = await requestEvaluation(this.#context, agent, claim);
    const kept = new KeepEvaluation(this.#context, agent, claim);
    const asks = evaluatorOf(agent, role, settings);
    const meter = new EvaluatorMeter(this.#context, {
      asks,
      writes,
      spending: payer.spending.of(this.#context.useOf(asks)),
      limits: limitsFor(settings, role),
    });
    const reader = readerOf(role);
    const record = new SessionRecord(this.#context, { agent, role: reader, writes, meter: payer });
    const checkout = await this.#context.worktrees.checkout(claim.ref, claim.commit);
    try {
      const spec = await this.#spec(asks, reader, { meter, kept, record, workingDirectory: checkout.path });
      const runtime = runtimeOf(this.#context, asks);
      const ended = await runSingleExchange({ runtime, log: this.#context.log }, spec, {
        request,
        deadlineMs: settings.evidence.timeoutMs,
        signal: claim.signal,
        mayGoOn: () => meter.mayGoOn(),
      });
      const end = explained(ended, reader, null);
      meter.end();
      await record.flush();
      this.idleSince = meter.idleSince;
      if (kept.submitted) return { kind: "evaluated" };
      if (claim.signal.aborted) return { kind: "cut_off" };
      return await this.#unanswered(asks, meter, end);
    } finally {
      await removeCheckout(this.#context, agent);
    }
  }

  async #unanswered(agent: AgentRecord, meter: EvaluatorMeter, end: ExchangeEnd): Promise<EvaluatorEnd> {
    if (meter.stopped !== null)
      return meter.stopped.of === "agent"
        ? { kind: "limit", limit: meter.stopped.limit }
        : { kind: "silent", detail: meter.stopped.words };
    switch (end.kind) {
      case "model_error":
        if (end.consequence === "park") await this.#context.providerBreaker.failed(agent, end);
        return end.consequence === "park" || end.consequence === "tell"
          ? { kind: "refused", end }
          : { kind: "silent", detail: end.detail };
      case "runtime_died":
        return { kind: "silent", detail: end.detail };
      case "deadline": {
        const { timeoutMs } = this.#context.settingsOf(agent.repositoryId).evidence;
        return { kind: "silent", detail: `it gave no evaluation within ${duration(timeoutMs)}` };
      }
      case "aborted":
      case "idle":
        return { kind: "silent", detail: "it ended without an evaluation" };
    }
  }

  async #spec(
    agent: AgentRecord,
    reader: Role,
    options: { meter: EvaluatorMeter; kept: KeepEvaluation; record: SessionRecord; workingDirectory: string },
  ): Promise<SessionSpec> {
    const { accountKey } = this.#context;
    const models = sessionModels(this.#context, this.#context.useOf(agent));
    const { meter, kept, record, workingDirectory } = options;
    const { writes } = this.#observed;
    const repository = fullName(await repositoryOf(this.#context, agent.repositoryId));
    const place = { agentId: agent.id, sessionId: agent.sessionId ?? "" };
    return {
      ...(await evaluatorDirectory(this.#context, place)),
      workingDirectory,
      sentFile: null,
      // It only reads.
      environment: {},
      ...models,
      sees: false,
      temperature: reader.temperature,
      accountKey,
      systemPrompt: evaluatorPrompt({ prompt: reader.prompt, repository, workingDirectory }),
      capabilities: reader.capabilities,
      tools: this.#toolsFor(reader.tools, (evaluation) => kept.submit(evaluation)),
      remark: () => null,
      mayCallModel: (underWay) => meter.mayCallModel(underWay),
      gate: async (call) => {
        const decided = record.decides(call);
        const answer = gateAnswer(reader, meter, call.toolName, runtimeToolsOf(this.#context, agent));
        if (answer.allow) return record.letGo(decided);
        // For a refusal that ends the exchange the runtime reports nothing else about the call.
        record.refused(decided, answer);
        await writes.flush();
        return answer;
      },
      onEvent: (event) => {
        meter.observe(event);
        record.observe(event);
      },
    };
  }
}

/** Returns the agent, which pays, as one of the evaluator's role: in that role's runtime, with its models. */
function evaluatorOf(agent: AgentRecord, role: Role, settings: Settings): AgentRecord {
  return { ...agent, role: role.name, runtime: runtimeOfRole(role, settings), ...NO_CHOICE };
}

/** Returns the read-only part of the role, with the tool to answer. */
function readerOf(role: Role): Role {
  const reads = EVALUATOR_TOOLS.filter((name) => role.tools.includes(name));
  return { ...role, capabilities: ["read"], tools: [...reads, EVALUATION_TOOL], mcpTools: [] };
}

function gateAnswer(
  reader: Role,
  meter: EvaluatorMeter,
  toolName: string,
  runtimeTools: RuntimeTools,
): ToolGateAnswer {
  const answer = meter.gate(toolName);
  if (!answer.allow || mayCall(reader, toolName, runtimeTools)) return answer;
  return { allow: false, reason: `An evaluator has no tool ${toolName}.`, endExchange: false };
}

/** Characters of the change in the request; the evaluator reads the rest in its directory. */
const PATCH_CHARACTERS = 60_000;

/** Returns the request about a claim: the issue as the coder read it, the coder's summary, the change. */
async function requestEvaluation(
  context: EngineContext,
  agent: AgentRecord,
  claim: ClaimedCommit & { readonly summary: string },
): Promise<string> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const issue = await context.github.issue(repository, agent.issue);
  const base = agent.baseCommit ?? claim.commit;
  const { files, patch } = await context.worktrees.diff(claim.ref, base, PATCH_CHARACTERS);
  return evaluationRequest({
    issue: await issueForModel(context, repository, issue),
    commit: claim.commit,
    pull: agent.prNumber,
    summary: claim.summary,
    files,
    patch,
    cut: patch.length >= PATCH_CHARACTERS,
    threshold: context.settingsOf(agent.repositoryId).evidence.evaluatorThreshold,
  });
}
