import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { isCoder, type Role } from "../../domain/agents/role.ts";
import { afterTurn, noProgressYet, type Stuck } from "../../domain/breakers/progress.ts";
import type { RuntimeEvent } from "../../domain/ports/agent-runtime.ts";
import type { ToolCall } from "../../domain/sessions/fingerprint.ts";
import { changesSomething } from "../../domain/sessions/tool-kind.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { treeOf } from "../tasks/worktree-of.ts";
import { ProgressMemory } from "./progress-memory.ts";

interface Call {
  readonly tool: string;
  readonly args: unknown;
  readonly at: number;
}

/** Detects, turn by turn, whether a session makes progress, and continues the count of earlier periods. */
export class ProgressWatch {
  /** Set once the session makes no progress. */
  stuck: Stuck | null = null;
  #started = new Map<string, Call>();
  #calls: ToolCall[] = [];
  #mayHaveChanged = true;
  #work: Promise<unknown> = Promise.resolve();
  readonly #context: EngineContext;
  readonly #agent: AgentRecord;
  readonly #memory: ProgressMemory;
  readonly #onStuck: () => void;
  readonly #onChange: () => void;

  /** `onChange` is called after each turn that changed a file. */
  constructor(
    context: EngineContext,
    options: { agent: AgentRecord; role: Role; onStuck: () => void; onChange: () => void },
  ) {
    this.#context = context;
    this.#agent = options.agent;
    const fresh = noProgressYet({ changes: isCoder(options.role), tree: null });
    this.#memory = new ProgressMemory(context, { agent: options.agent, fresh });
    this.#onStuck = options.onStuck;
    this.#onChange = options.onChange;
  }

  observe(event: RuntimeEvent): void {
    const at = this.#context.clock.now();
    if (event.type === "tool_started")
      this.#started.set(event.toolCallId, { tool: event.toolName, args: event.args, at });
    else if (event.type === "tool_ended") {
      const call = this.#started.get(event.toolCallId);
      this.#started.delete(event.toolCallId);
      if (call === undefined) return;
      const { tool, args } = call;
      this.#calls.push({ tool, args, ok: event.ok, output: event.output, ms: at - call.at });
      if (changesSomething(this.#context.toolKind(tool, this.#agent))) this.#mayHaveChanged = true;
    } else if (event.type === "turn_ended") this.#turnEnded();
  }

  /** Resolves when all turns so far have been judged. */
  async flush(): Promise<void> {
    await this.#work;
  }

  #turnEnded(): void {
    const calls = this.#calls;
    const mayHaveChanged = this.#mayHaveChanged;
    this.#calls = [];
    this.#mayHaveChanged = false;
    this.#work = this.#work.then(async () => this.#judge(calls, mayHaveChanged));
  }

  /** Judges a turn. Never rejects: an unreadable worktree has no hash. */
  async #judge(calls: readonly ToolCall[], mayHaveChanged: boolean): Promise<void> {
    const before = await this.#memory.before();
    // Calls that only read leave the worktree unchanged.
    const tree = mayHaveChanged ? await treeOf(this.#context, this.#agent) : before.tree;
    if (tree !== before.tree) this.#onChange();
    const { turnsWithoutChange } = this.#context.settingsOf(this.#agent.repositoryId).progress;
    const after = afterTurn(before, { calls, tree }, turnsWithoutChange);
    await this.#memory.after(after.progress);
    if (after.stuck === null || this.stuck !== null) return;
    // The description is shown to people.
    this.stuck = { ...after.stuck, what: this.#context.redact(after.stuck.what) };
    this.#onStuck();
  }
}
