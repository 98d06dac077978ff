import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { StoredEvaluation } from "../../domain/evidence/evaluation.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import type { ClaimedCommit } from "./prove-commands.ts";

/** Of a reason so much is kept. */
const REASON_CHARACTERS = 4000;

/** Keeps what an evaluator submits about one claim, before its tool answers. */
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

  /** It stands in the database. */
  get submitted(): boolean {
    return this.#submitted;
  }

  /** The first one counts; calls of one turn run at the same time. */
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
