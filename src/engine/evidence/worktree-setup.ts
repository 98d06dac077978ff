import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Prompt } from "../../domain/conversation/prompts.ts";
import {
  outputWithRefusals,
  setupFailureMessage,
  setupQuestion,
  setupReason,
} from "../../domain/conversation/setup-failure.ts";
import { everPrepared, setupLeft } from "../../domain/evidence/setup.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import { askAboutSetup } from "../agents/ask-about-setup.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runOf } from "../kernel/find-records.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { keepForReuse } from "./reuse-setup.ts";
import { runShell } from "./run-shell.ts";
import { setupDigest } from "./setup-digest.ts";
import { setupReach } from "./shell-reach.ts";

/** `go`: the period continues. `news`: the note for the model, or null. */
interface SetupOutcome {
  readonly go: boolean;
  readonly news: string | null;
}

const READY: SetupOutcome = { go: true, news: null };

/**
 * Prepares one agent's worktree by `setup.commands` during one period: before the first message, and again
 * when a lock file or the repository's `setup` changed or the directory was recreated. A failure before any success asks a person, since
 * the agent could not fix it; a later failure goes to the model.
 */
export class WorktreeSetup {
  /** The digest of the last attempt, so that a failure is reported once. */
  #tried: string | null = null;
  readonly #context: EngineContext;
  readonly #signal: AbortSignal;

  constructor(context: EngineContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  /**
   * Returns the next message once the worktree is prepared, with a failed setup noted in it; null when the
   * period is over.
   */
  async before(agent: AgentRecord | null, message: () => Promise<Prompt | null>): Promise<Prompt | null> {
    if (agent === null) return null;
    const { go, news } = await this.#ready(agent);
    const prompt = go && !this.#signal.aborted ? await message() : null;
    return prompt === null || news === null ? prompt : { ...prompt, text: `${prompt.text}\n\n${news}` };
  }

  async #ready(agent: AgentRecord): Promise<SetupOutcome> {
    const { setup } = this.#context.settingsOf(agent.repositoryId);
    const { commands } = setup;
    const ref = await worktreeOf(this.#context, agent);
    if (commands.length === 0 || ref === null || agent.worktreePath === null) return READY;
    const digest = await setupDigest(this.#context, ref, setup);
    if (digest === this.#tried) return READY;
    this.#tried = digest;
    const rows = await this.#context.store.evidence.ofAgent(agent.id);
    const place = { path: agent.worktreePath, home: await this.#context.directories.home(agent.id) };
    // The home lies in the session's directory, where the agent could have replaced it by a link.
    const own = await this.#context.directories.session(agent.id);
    const reach = await setupReach(this.#context, agent, own);
    const left = setupLeft(commands, rows, digest);
    for (const [at, command] of left.entries()) {
      const result = await runShell(this.#context, agent, place, {
        purpose: "worktree",
        command,
        reach,
        signal: this.#signal,
      });
      if (result === null) return { go: false, news: null };
      const isWhole = result.exitCode === 0 && at === commands.length - 1;
      const note = isWhole && rows.length === 0 ? await keepForReuse(this.#context, agent, ref) : null;
      await this.#keep(agent, digest, { command, result, note });
      if (result.exitCode === 0) continue;
      const failed = { command, ...result };
      if (everPrepared(commands, rows)) return { go: true, news: setupFailureMessage(failed) };
      await askAboutSetup(this.#context, agent, {
        reason: setupReason(failed),
        question: setupQuestion(failed, this.#context.settings.setup),
      });
      return { go: false, news: null };
    }
    // The commands may have written lock files themselves. A setup that changed meanwhile is not tried yet.
    this.#tried = await setupDigest(this.#context, ref, setup);
    return READY;
  }

  async #keep(
    agent: AgentRecord,
    digest: string,
    {
      command,
      result,
      note,
    }: { readonly command: string; readonly result: CommandResult; readonly note: string | null },
  ): Promise<void> {
    const { store, clock } = this.#context;
    const { exitCode, timedOut, durationMs } = result;
    const runId = (await runOf(store, agent.id))?.id;
    if (runId === undefined) return;
    await store.evidence.add({
      agentId: agent.id,
      runId,
      intentId: null,
      kind: "setup",
      commit: null,
      command,
      holds: exitCode === 0,
      exitCode,
      timedOut,
      output: [outputWithRefusals(result), ...(note === null ? [] : [note])].join("\n").trimStart(),
      durationMs,
      digest,
      missing: null,
      confidence: null,
      createdAt: clock.now(),
    });
  }
}
