import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import type { ServiceEnd } from "../../domain/ports/service-host.ts";
import { serviceVariables } from "../../domain/services/service.ts";
import { endedText, failedStart } from "../../domain/services/service-texts.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { startServices } from "../services/start-services.ts";
import { runShell, type ShellDirectory, type ShellTask } from "./run-shell.ts";

/** Characters of a service's output that are kept. */
const KEPT = 8_000;

/** What is kept as evidence: of kind `setup` where services that were not ready kept the command from beginning. */
export interface ProvedCommand {
  readonly kind: "setup" | "command";
  readonly command: string;
  readonly result: CommandResult;
}

/**
 * Runs one acceptance command beside the repository's services, which start empty and end with it. The output says which
 * ended before. Null when the task's signal stopped it.
 */
export async function runBesideServices(
  context: EngineContext,
  agent: AgentRecord,
  place: ShellDirectory,
  task: ShellTask,
): Promise<ProvedCommand | null> {
  const { services } = context.settingsOf(agent.repositoryId);
  const { command } = task;
  if (Object.keys(services).length === 0) {
    const result = await runShell(context, agent, place, task);
    return result === null ? null : { kind: "command", command, result };
  }
  const clean = (text: string) => cleanText(text, context.redact, KEPT);
  const began = context.clock.now();
  const host = await context.runner.services();
  const ends: ServiceEnd[] = [];
  const unready = new AbortController();
  const signal = AbortSignal.any([task.signal, unready.signal]);
  let isReady = false;
  host.onEnd((end) => {
    if (isReady) ends.push(end);
  });
  const starting = startServices(context.clock, host, services, {
    directory: `${place.home}/services`,
    signal,
  }).then((failures) => {
    isReady = failures.length === 0;
    if (isReady) host.release();
    else unready.abort();
    return failures;
  });
  try {
    const reach = {
      ...task.reach,
      env: { ...serviceVariables(services), ...task.reach.env },
      services: host,
    };
    const result = await runShell(context, agent, place, { ...task, reach, signal });
    if (unready.signal.aborted && !task.signal.aborted) {
      const failures = (await starting).map((one) => ({ ...one, log: clean(one.log) }));
      return { kind: "setup", ...failedStart(failures, context.clock.now() - began) };
    }
    if (result === null) return null;
    const told = isReady
      ? ends.map((end) => endedText({ ...end, log: clean(end.log) }, services[end.name]?.run ?? ""))
      : ["It did not begin, because its services were not ready by then."];
    return {
      kind: "command",
      command,
      result: { ...result, output: [result.output, ...told].join("\n\n").trimStart() },
    };
  } finally {
    host.close();
    unready.abort();
    await starting;
  }
}
