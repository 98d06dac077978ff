import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import { pauseAfterSaving, pauseBeforeSending, SAVE_EVERY_MS } from "../../domain/tasks/checkpoint.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { guardedByLevel, levelOn } from "../outbox/level-guard.ts";
import { saveWork, sendCheckpoint } from "../tasks/save-work.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";

/**
 * Saves the work of one agent while it is at work: each minute, and after each turn that changed a file. Nobody waits
 * for it, and it runs once at a time. A worktree that is lost comes back as it was a minute ago at the most.
 */
export class WorkSaver {
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  #cancel: (() => void) | null = null;
  #saving: Promise<void> | null = null;
  #closed = false;
  /** The tree that was last saved, or that may not be. */
  #seen: string | null = null;
  /** A checkpoint that the server does not have. */
  #unsent: { readonly ref: WorktreeRef; readonly commit: string } | null = null;
  #sending = false;
  #failures = 0;
  /** Nothing is saved after a turn before then. */
  #saveFrom = 0;
  #sendFrom = 0;

  constructor(context: EngineContext, agent: AgentRecord) {
    this.#context = context;
    this.#agent = agent;
  }

  /** Begins to save each minute. */
  begin(): void {
    if (this.#agent.branch === null || this.#closed) return;
    this.#cancel = this.#context.clock.after(SAVE_EVERY_MS, () => {
      this.#save();
      this.begin();
    });
  }

  /** Called after a turn that changed a file. */
  changed(): void {
    if (this.#context.clock.now() >= this.#saveFrom) this.#save();
  }

  /**
   * Ends it, and waits for a saving that is under way, not for the network: the work is saved once more when the process
   * has ended.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#saving;
  }

  #save(): void {
    if (this.#closed || this.#saving !== null || this.#agent.branch === null) return;
    const { clock, log } = this.#context;
    const began = clock.now();
    const failed = (error: unknown) => {
      log.info({ agent: this.#agent.name, error: messageOf(error) }, "work not saved while at work");
    };
    this.#saving = this.#saveNow()
      .catch(failed)
      .finally(() => {
        this.#saving = null;
        this.#saveFrom = clock.now() + pauseAfterSaving(clock.now() - began);
        void this.#send().catch(failed);
      });
  }

  async #saveNow(): Promise<void> {
    const ref = await worktreeOf(this.#context, this.#agent);
    if (ref === null) return;
    const tree = await this.#context.worktrees.tree(ref);
    if (tree === this.#seen) return;
    const saved = await saveWork(this.#context, this.#agent, { ref, atWork: true });
    if (saved === "moved") return;
    this.#seen = tree;
    if (saved !== "held" && saved.commit !== null) this.#unsent = { ref, commit: saved.commit };
  }

  async #send(): Promise<void> {
    const unsent = this.#unsent;
    const { clock } = this.#context;
    if (unsent === null || this.#closed || this.#sending || clock.now() < this.#sendFrom) return;
    this.#sending = true;
    try {
      const repository = await repositoryOf(this.#context, this.#agent.repositoryId);
      const level = await levelOn(this.#context, repository, this.#agent.issue);
      const { worktrees } = guardedByLevel(this.#context, level, "close_session");
      const guarded = { ...this.#context, worktrees };
      if (await sendCheckpoint(guarded, this.#agent, { ...unsent, failures: this.#failures })) {
        this.#failures = 0;
        if (this.#unsent === unsent) this.#unsent = null;
      } else this.#failures += 1;
      this.#sendFrom = clock.now() + pauseBeforeSending(this.#failures);
    } finally {
      this.#sending = false;
    }
  }
}
