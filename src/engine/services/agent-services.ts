import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { Prompt } from "../../domain/conversation/prompts.ts";
import { untrusted } from "../../domain/conversation/untrusted.ts";
import type { RunEvent } from "../../domain/kernel/run-event.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { ServiceEnd, ServiceHost } from "../../domain/ports/service-host.ts";
import {
  type ServiceFailure,
  type Services,
  servicesOf,
  serviceVariables,
} from "../../domain/services/service.ts";
import {
  endedText,
  notReadyText,
  servicesQuestion,
  startedText,
} from "../../domain/services/service-texts.ts";
import { askAboutSetup } from "../agents/ask-about-setup.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { appendRunEvents, subjectOf } from "../kernel/run-events.ts";
import type { WriteQueue } from "../outbox/write-queue.ts";
import { startServices } from "./start-services.ts";

/** Characters of a service's output that are kept with what happened to it. */
const KEPT = 8_000;

interface Options {
  readonly agent: AgentRecord;
  readonly role: Role;
  readonly writes: WriteQueue;
}

/** The services beside one agent during one awake period: started before the first message, gone with the runtime. */
export class AgentServices {
  /** Null where there are none. */
  readonly host: ServiceHost | null;
  /** Variables for the agent. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #context: EngineContext;
  readonly #options: Options;
  readonly #services: Services;
  readonly #directory: string;
  /** What the agent has not been told yet. */
  #due: string[] = [];
  #isStarted = false;
  #isWatched = false;

  private constructor(
    context: EngineContext,
    options: Options,
    { host, services, directory }: { host: ServiceHost | null; services: Services; directory: string },
  ) {
    this.#context = context;
    this.#options = options;
    this.#services = services;
    this.#directory = directory;
    this.host = host;
    this.variables = serviceVariables(services);
    host?.onEnd((end) => this.#ended(end));
  }

  static async prepare(context: EngineContext, options: Options): Promise<AgentServices> {
    const { agent, role } = options;
    const { services: all } = context.settingsOf(agent.repositoryId);
    const services = servicesOf(all, role, agent.worktreePath);
    const host = Object.keys(services).length === 0 ? null : await context.runner.services();
    // The agent's commands begin at once; only its first message waits for the services.
    host?.release();
    const directory = `${await context.directories.session(agent.id)}/services`;
    return new AgentServices(context, options, { host, services, directory });
  }

  /**
   * Returns the next message, with what the agent has to know of its services. Starts them before the first one; null
   * where one does not become ready, which a person is asked about.
   */
  async before(
    agent: AgentRecord | null,
    signal: AbortSignal,
    message: () => Promise<Prompt | null>,
  ): Promise<Prompt | null> {
    if (agent === null) return null;
    if (this.host !== null && !this.#isStarted) {
      this.#isStarted = true;
      const failures = await this.#start(this.host, signal);
      if (signal.aborted) return null;
      if (failures.length > 0) {
        await askAboutSetup(this.#context, agent, servicesQuestion(failures));
        return null;
      }
      this.#due.unshift(startedText(this.#services, this.#directory));
    }
    const prompt = await message();
    const news = prompt === null ? null : this.news();
    return prompt === null || news === null ? prompt : { ...prompt, text: `${prompt.text}\n\n${news}` };
  }

  /** Returns what the agent has not been told yet, once; null without any. */
  news(): string | null {
    const due = this.#due.splice(0);
    return due.length === 0 ? null : due.join("\n\n");
  }

  close(): void {
    this.host?.close();
  }

  async #start(host: ServiceHost, signal: AbortSignal): Promise<readonly ServiceFailure[]> {
    const { clock, log, redact } = this.#context;
    const { agent } = this.#options;
    log.info({ agentId: agent.id, services: Object.keys(this.#services) }, "services start");
    const found = await startServices(clock, host, this.#services, { directory: this.#directory, signal });
    const failures = found.map((one) => ({ ...one, log: cleanText(one.log, redact, KEPT) }));
    if (signal.aborted) return failures;
    const failed = new Set(failures.map(({ name }) => name));
    for (const name of Object.keys(this.#services))
      if (!failed.has(name)) this.#record({ service: name, what: "ready", detail: "it is ready" });
    for (const failure of failures) {
      log.warn({ agentId: agent.id, service: failure.name }, "service not ready");
      this.#record({ service: failure.name, what: "not_ready", detail: notReadyText(failure) });
    }
    this.#isWatched = failures.length === 0;
    return failures;
  }

  #ended(told: ServiceEnd): void {
    const service = this.#services[told.name];
    // An end before the start is over is a failure of the start.
    if (service === undefined || !this.#isWatched) return;
    const { log, redact } = this.#context;
    const end = { ...told, log: cleanText(told.log, redact, KEPT) };
    const { exitCode, signal } = end;
    log.warn({ agentId: this.#options.agent.id, service: end.name, exitCode, signal }, "service ended");
    const detail = endedText(end, service.run);
    this.#record({ service: end.name, what: "ended", detail });
    this.#due.push(endedText(end, service.run, untrusted));
  }

  #record(data: Extract<RunEvent, { type: "agent:service" }>["data"]): void {
    const { store } = this.#context;
    const subject = subjectOf(this.#options.agent);
    this.#options.writes.add(() =>
      store.transaction((tables) =>
        appendRunEvents(this.#context, tables, subject, [{ type: "agent:service", data }]),
      ),
    );
  }
}
