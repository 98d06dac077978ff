import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { StoredEvaluation } from "../../domain/evidence/evaluation.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import type { ClaimedCommit } from "./prove-commands.ts";

/** Characters of a reason that are kept. */
const REASON_CHARACTERS = 4000;

/** Stores the evaluation that an evaluator submits about one claim, before the tool answers. */
export class KeepEvaluation {
  #taken = false;
  #submitted = false;
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #claim: ClaimedCommit;

  constructor(context: EngineContext, agent: AgentRecord, claim: ClaimedCommit) {
    this.#context = context;
    this.#agent = agent;
    this.#claim = claim;
  }

  /** Returns whether the evaluation is stored. */
  get submitted(): boolean {
    return this.#submitted;
  }

  /** Stores the first evaluation; calls of one turn run concurrently. */
  async submit({ confidence, reason }: StoredEvaluation): Promise<ToolAnswer> {
    if (this.#taken) return { ok: false, text: "You have submitted your evaluation; it stands." };
    this.#taken = true;
    const { store, clock, redact } = this.#context;
    const { evidence } = this.#context.settingsOf(this.#agent.repositoryId);
    const { intentId, commit } = this.#claim;
    const runId = (await runOf(store, this.#agent.id))?.id;
    if (runId === undefined) return { ok: false, text: "The work that you were asked about is over." };
    await store.evidence.add({
      agentId: this.#agent.id,
      runId,
      intentId,
      kind: "evaluation",
      commit,
      command: null,
      holds: confidence >= evidence.evaluatorThreshold,
      exitCode: null,
      timedOut: false,
      output: cleanText(reason, redact, REASON_CHARACTERS),
      durationMs: null,
      digest: null,
      missing: null,
      confidence,
      createdAt: clock.now(),
    });
    this.#submitted = true;
    this.#context.crashPoint("evidence:evaluation");
    return { ok: true, text: "Kept." };
  }
}
