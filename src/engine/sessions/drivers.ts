import { agentReach } from "../../domain/access/confinement.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import type { OpeningStep } from "../../domain/breakers/lone-opening.ts";
import { systemPrompt } from "../../domain/conversation/system-prompt.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { AgentSession, RuntimeEvent, SessionSpec } from "../../domain/ports/agent-runtime.ts";
import { isTooDeep, TOO_DEEP } from "../../domain/sessions/nesting.ts";
import { HANDOFF_TOOL } from "../../domain/sessions/tool-names.ts";
import { readBaseNews } from "../conversation/wake-brief-sections.ts";
import { Evaluator } from "../evidence/evaluator.ts";
import { prepareSkills } from "../instructions/agent-skills.ts";
import { Instructions } from "../instructions/instructions.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { sessionModels } from "../kernel/models-of.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { runtimeOf } from "../kernel/runtime-of.ts";
import { ServerTools } from "../mcp/server-tools.ts";
import { WriteQueue } from "../outbox/write-queue.ts";
import { AgentServices } from "../services/agent-services.ts";
import { ConversationKeeper } from "./conversation-keeper.ts";
import { Driver, type Rest, type Unwritten } from "./driver.ts";
import { Guards } from "./guards.ts";
import { Meter } from "./meter.ts";
import { observersOf } from "./observers.ts";
import type { Observed, SessionRecord } from "./session-record.ts";
import type { ToolContext, ToolsFor } from "./tool-context.ts";
import { toolGate } from "./tool-gate.ts";
import { WorkSaver } from "./work-saver.ts";

/** The awake periods of this process, at most one per agent. */
export class Drivers {
  #closed = false;
  readonly #running = new Map<number, Driver>();
  readonly #talking = new Set<Driver>();
  #alone: number | null = null;
  readonly #context: EngineContext;
  readonly #settled: ToolContext["settled"];
  readonly #toolsFor: ToolsFor;
  readonly #rest: Rest;
  readonly #unwritten: Unwritten;

  constructor(
    context: EngineContext,
    {
      settled,
      toolsFor,
      rest,
      unwritten,
    }: {
      readonly settled: ToolContext["settled"];
      readonly toolsFor: ToolsFor;
      readonly rest: Rest;
      readonly unwritten: Unwritten;
    },
  ) {
    this.#context = context;
    this.#settled = settled;
    this.#toolsFor = toolsFor;
    this.#rest = rest;
    this.#unwritten = unwritten;
  }

  /** Returns whether a period of the agent is under way. */
  has(agentId: number): boolean {
    const driver = this.#running.get(agentId);
    return driver !== undefined && this.#talking.has(driver);
  }

  /** Checks the agent's signs of life; returns false while its session is suspect. */
  checkLife(agentId: number): boolean {
    return this.#running.get(agentId)?.checkLife() ?? true;
  }

  /** Returns whether a tool of the agent waits for git, GitHub or the runtime. */
  isWaiting(agentId: number): boolean {
    return this.#running.get(agentId)?.isWaiting() ?? false;
  }

  /** Returns whether the agent may be in the middle of a turn. */
  isInExchange(agentId: number): boolean {
    return this.#running.get(agentId)?.isInExchange ?? false;
  }

  /** Returns the number of periods under way. */
  busy(): number {
    return this.#talking.size;
  }

  /** Returns the agents that have a process, or had one that is not released yet. */
  running(): readonly number[] {
    return [...this.#running.keys()];
  }

  /** Returns the periods of those agents, by their tokens. */
  periods(): readonly (readonly [agentId: number, token: number])[] {
    return [...this.#running].map(([agentId, { token }]) => [agentId, token]);
  }

  /** Allows only this agent's opening until the returned function is called. */
  claimAlone(agentId: number): () => void {
    this.#alone = agentId;
    return () => {
      this.#alone = null;
    };
  }

  /** Runs a step of an opening. For a lone opening, a step that begins and never ends is recorded on disk. */
  async openingStep<T>(agentId: number, step: OpeningStep, work: () => Promise<T>): Promise<T> {
    const { loneOpenings } = this.#context.store;
    if (this.#alone === agentId && this.busy() === 0) await loneOpenings.begin(agentId, step);
    try {
      return await work();
    } finally {
      await loneOpenings.end(agentId, step);
    }
  }

  /**
   * Opens the conversation and starts its driver. Returns the version of its runtime, where that is known. Throws
   * `RuntimeError` when it cannot be opened.
   */
  async start(agent: AgentRecord, role: Role, workingDirectory: string): Promise<string | null> {
    await this.stop(agent.id);
    this.#refuseWhenClosed();
    const writes = new WriteQueue(this.#context.log, agent.name);
    const meter = new Meter(this.#context, {
      agent,
      limits: limitsFor(this.#context.settingsOf(agent.repositoryId), role),
      use: this.#context.useOf(agent),
      writes,
    });
    const saver = new WorkSaver(this.#context, agent);
    const keeper = new ConversationKeeper(this.#context, agent);
    const guards = new Guards(this.#context, { agent, role, onChange: () => saver.changed() });
    const skills = await prepareSkills(this.#context, agent, role);
    const instructions = await Instructions.read(this.#context, {
      agent,
      skills,
      workingDirectory,
      opensPulls: role.tools.includes("open_pr"),
      writes,
    });
    const services = await AgentServices.prepare(this.#context, { agent, role, writes });
    try {
      const observed = { agent, role, meter, guards, instructions, services, writes, saver, keeper };
      return await this.#open(observed, { workingDirectory, skills: skills.directory });
    } catch (error) {
      services.close();
      throw error;
    }
  }

  async #open(
    observed: Observed,
    places: { readonly workingDirectory: string; readonly skills: string | undefined },
  ): Promise<string | null> {
    const { agent, role, meter } = observed;
    const observers = observersOf(this.#context, observed);
    let session: AgentSession | undefined;
    const onEvent = (event: RuntimeEvent): void => {
      // A turn above the limit belongs to no driver: it is not counted and ends at once.
      if (event.type === "turn_started" && meter.turnStarts()) this.#interrupt(session);
      else observers.observe(event);
    };
    const tools = this.#toolContext(observed);
    const servers = await ServerTools.open(this.#context, agent, role);
    let baseNews: Promise<string | null>;
    try {
      const spec = await this.#spec(observed, {
        ...places,
        onEvent,
        record: observers.record,
        tools,
        servers,
      });
      // For the first message of a waking agent: git is read while the runtime starts.
      baseNews = agent.token > 1 ? readBaseNews(this.#context, agent) : Promise.resolve(null);
      session = withServers(await runtimeOf(this.#context, agent).open(spec), servers);
    } catch (error) {
      await servers.close();
      throw error;
    }
    this.#context.crashPoint("session:opened");
    if (this.#closed) await session.stop();
    this.#refuseWhenClosed();
    const evaluator = new Evaluator(this.#context, observed, (allowed, keepEvaluation) =>
      this.#toolsFor(allowed, { ...tools, keepEvaluation }),
    );
    const settled = (effectId: number, withinMs: number) =>
      meter.waited.during(() => this.#settled(effectId, withinMs));
    const driver = new Driver(this.#context, {
      ...observed,
      session,
      observers,
      evaluator,
      settled,
      baseNews,
      rest: this.#rest,
      unwritten: this.#unwritten,
    });
    this.#running.set(agent.id, driver);
    this.#talking.add(driver);
    void driver.done.then(() => this.#talking.delete(driver));
    return session.version;
  }

  /**
   * Ends the current exchange; the period continues. Returns false when the agent has no period that could be
   * interrupted.
   */
  async interrupt(agentId: number): Promise<boolean> {
    const driver = this.#running.get(agentId);
    await driver?.interrupt();
    return driver !== undefined && this.#talking.has(driver);
  }

  /** Ends the period and its process; does nothing when there is none. */
  async stop(agentId: number): Promise<void> {
    const driver = this.#running.get(agentId);
    if (driver === undefined) return;
    await driver.stop();
    if (this.#running.get(agentId) === driver) this.#running.delete(agentId);
  }

  /** Ends all periods and refuses new ones, for the end of the process. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.keys()].map((agentId) => this.stop(agentId)));
  }

  /** Resolves when no period is under way; for tests and the drain. */
  async settled(): Promise<void> {
    await Promise.all([...this.#talking].map((driver) => driver.done));
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new OutsideError("stopping", "the host is stopping", { consequence: "retry" });
  }

  #toolContext({ agent, role, meter: { inbox, waited } }: Observed): ToolContext {
    let outputs = 0;
    const nextOutput = () => {
      outputs += 1;
      return outputs;
    };
    const settled = this.#settled;
    return { context: this.#context, agent, role, inbox, waited, nextOutput, settled, keepEvaluation: null };
  }

  #interrupt(session: AgentSession | undefined): void {
    session?.interrupt().catch((error: unknown) => {
      this.#context.log.warn({ error }, "session not interrupted");
    });
  }

  async #spec(
    observed: Observed,
    options: {
      workingDirectory: string;
      skills: string | undefined;
      onEvent: (event: RuntimeEvent) => void;
      record: SessionRecord;
      tools: ToolContext;
      servers: ServerTools;
    },
  ): Promise<SessionSpec> {
    const { accountKey, directories } = this.#context;
    const { agent, role, meter, instructions, services } = observed;
    const repository = fullName(await repositoryOf(this.#context, agent.repositoryId));
    const { workingDirectory, skills, onEvent, record, tools, servers } = options;
    const { setup } = this.#context.settingsOf(agent.repositoryId);
    const environment = { ...setup.environment, ...services.variables };
    return {
      sessionId: agent.sessionId ?? "",
      baseDirectory: await directories.session(agent.id),
      workingDirectory,
      sentFile: await directories.sentFile(agent.id),
      environment,
      ...(skills === undefined ? {} : { skills }),
      ...(services.host === null ? {} : { services: services.host }),
      ...sessionModels(this.#context, this.#context.useOf(agent)),
      temperature: role.temperature,
      accountKey,
      systemPrompt: systemPrompt({
        role,
        repository,
        workingDirectory,
        branch: agent.branch,
        reach: agentReach(this.#context.settings),
        variables: Object.keys(environment),
        instructions: instructions.section(),
      }),
      capabilities: role.capabilities,
      tools: [...this.#toolsFor([...role.tools, HANDOFF_TOOL], tools), ...servers.tools],
      remark: async () =>
        joined([await meter.remark(), await instructions.news(), servers.news(), services.news()]),
      mayCallModel: (underWay) => meter.mayCallModel(underWay),
      gate: toolGate(this.#context, observed, record),
      onEvent: (event) => onEvent(readable(event)),
    };
  }
}

/** Returns the event without arguments that those who watch could not go down. */
function readable(event: RuntimeEvent): RuntimeEvent {
  return event.type === "tool_started" && isTooDeep(event.args) ? { ...event, args: TOO_DEEP } : event;
}

function joined(texts: readonly (string | null)[]): string | null {
  const told = texts.filter((text) => text !== null);
  return told.length === 0 ? null : told.join("\n\n");
}

/** Returns the session with an end that ends its servers too. */
function withServers(session: AgentSession, servers: ServerTools): AgentSession {
  return {
    resumed: session.resumed,
    version: session.version,
    exchange: (prompt, options) => session.exchange(prompt, options),
    interrupt: () => session.interrupt(),
    probe: () => session.probe(),
    save: () => session.save(),
    async stop() {
      await session.stop();
      await servers.close();
    },
  };
}
