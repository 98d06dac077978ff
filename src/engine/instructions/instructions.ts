import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { applies } from "../../domain/instructions/apply-to.ts";
import { type GivenFile, MOST_GIVEN, type Shown } from "../../domain/instructions/given-file.ts";
import { nearestFiles } from "../../domain/instructions/instruction-files.ts";
import { instructionRemark, instructionSection } from "../../domain/instructions/instruction-text.ts";
import { templateSection } from "../../domain/instructions/pull-template.ts";
import { touchedPaths } from "../../domain/instructions/touched-paths.ts";
import type { AgentSession, RuntimeEvent, ToolCall } from "../../domain/ports/agent-runtime.ts";
import type { TreeFile } from "../../domain/ports/worktrees.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { conversationOf } from "../kernel/find-records.ts";
import { runtimeToolsOf } from "../kernel/runtime-of.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import type { AgentSkills } from "./agent-skills.ts";
import { type RepositoryInstructions, readFile, readInstructions } from "./read-instructions.ts";

interface Options {
  readonly agent: AgentRecord;
  readonly workingDirectory: string;
  readonly opensPulls: boolean;
  readonly skills: AgentSkills;
  readonly writes: WriteQueue;
}

/**
 * Shows one agent its repository's instructions during one awake period: those for all paths in the system prompt, the
 * others with the answer of the first tool that touches a path of theirs. The conversation's record says what it
 * contains.
 */
export class Instructions {
  readonly #context: EngineContext;
  readonly #options: Options;
  readonly #found: RepositoryInstructions | null;
  /** What the conversation contains, and will once its next message is saved. */
  #given: readonly GivenFile[];
  /** What the conversation's record does not name yet. */
  #unsaved: GivenFile[] = [];
  /** Files for what was touched, until they are shown. */
  #due: TreeFile[] = [];
  /** Paths of files that were shown, or are due. */
  readonly #known: Set<string>;
  readonly #seen = new Set<string>();
  #session: Pick<AgentSession, "save"> | undefined;

  private constructor(
    context: EngineContext,
    options: Options,
    {
      found,
      before,
    }: { readonly found: RepositoryInstructions | null; readonly before: readonly GivenFile[] },
  ) {
    this.#context = context;
    this.#options = options;
    this.#found = found;
    const forAll = [...alwaysShown(found).map(({ given }) => given), ...options.skills.given];
    const paths = new Set(forAll.map(({ path }) => path));
    this.#given = [...forAll, ...before.filter(({ path }) => !paths.has(path))];
    this.#known = new Set(this.#given.map(({ path }) => path));
    this.#unsaved = forAll.filter((one) => !before.some((other) => isSame(one, other)));
  }

  static async read(context: EngineContext, options: Options): Promise<Instructions> {
    const found = await readInstructions(context, options.agent, { template: options.opensPulls });
    const isNothing = found === null && options.skills.given.length === 0;
    const before = isNothing
      ? []
      : ((await conversationOf(context.store, options.agent))?.instructions ?? []);
    return new Instructions(context, options, { found, before });
  }

  /** Returns the end of the system prompt; null where there is nothing to say. */
  section(): string | null {
    const { forAll = [], template = null } = this.#found ?? {};
    const sections = [
      this.#options.skills.section,
      instructionSection(forAll),
      template === null ? null : templateSection(template),
    ];
    const said = sections.filter((section) => section !== null);
    return said.length === 0 ? null : said.join("\n\n");
  }

  attach(session: Pick<AgentSession, "save">): void {
    this.#session = session;
  }

  /** Remembers which instructions are for what the call touches. */
  touch({ toolName, args }: ToolCall): void {
    const tool = runtimeToolsOf(this.#context, this.#options.agent).get(toolName);
    if (this.#found === null || tool === undefined) return;
    const { workingDirectory } = this.#options;
    for (const path of touchedPaths(args, { named: tool.paths?.(args) ?? [], workingDirectory })) {
      if (this.#seen.has(path)) continue;
      this.#seen.add(path);
      const scoped = this.#found.scoped.filter(({ patterns }) => applies(patterns, path));
      for (const file of [...nearestFiles(this.#found.nested, path), ...scoped.map((one) => one.file)]) {
        if (this.#known.has(file.path) || this.#known.size >= MOST_GIVEN) continue;
        this.#known.add(file.path);
        this.#due.push(file);
      }
    }
  }

  /** Returns the instructions that became due, for the answer of a tool; null for none. Never rejects. */
  async news(): Promise<string | null> {
    // Tools of one turn end concurrently, so nothing may be awaited between reading and clearing.
    const due = this.#due;
    this.#due = [];
    if (this.#found === null || due.length === 0) return null;
    try {
      const shown: Shown[] = [];
      for (const file of due) {
        const one = await readFile(this.#context, this.#found.repository, file, this.#given);
        this.#given = [...this.#given, one.given];
        this.#unsaved.push(one.given);
        shown.push(one);
      }
      return instructionRemark(shown);
    } catch (error) {
      this.#context.log.warn({ error, agent: this.#options.agent.name }, "instructions for a path not read");
      return null;
    }
  }

  /** Stores what was shown once the conversation that contains it is on disk: after a kill it is shown again. */
  observe(event: RuntimeEvent): void {
    if (event.type !== "turn_started" || this.#unsaved.length === 0) return;
    const files = this.#unsaved;
    this.#unsaved = [];
    const saved = this.#session?.save();
    this.#options.writes.add(async () => {
      if (await saved) await this.#remember(files);
    });
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  async #remember(files: readonly GivenFile[]): Promise<void> {
    await this.#context.store.transaction(async (tables) => {
      const session = await conversationOf(tables, this.#options.agent);
      if (session === undefined) return;
      const kept = session.instructions.filter(({ path }) => !files.some((one) => one.path === path));
      await tables.records.save("session", session, { ...session, instructions: [...kept, ...files] });
    });
  }
}

/** Returns what stands in the system prompt. */
function alwaysShown(found: RepositoryInstructions | null): readonly Shown[] {
  if (found === null) return [];
  return found.template === null ? found.forAll : [...found.forAll, found.template];
}

function isSame(one: GivenFile, other: GivenFile): boolean {
  return one.path === other.path && one.blob === other.blob && one.shown === other.shown;
}
