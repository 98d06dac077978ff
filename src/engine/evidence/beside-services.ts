import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import { serviceVariables } from "../../domain/services/service.ts";
import { endedText, failedStart } from "../../domain/services/service-texts.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { runBeside } from "../services/run-beside.ts";
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
  const env = { ...serviceVariables(services), ...task.reach.env };
  const { result, failures, ends } = await runBeside(context.clock, host, {
    services: [services],
    directory: `${place.home}/services`,
    signal: task.signal,
    run: (signal) =>
      runShell(context, agent, place, { ...task, reach: { ...task.reach, env, services: host }, signal }),
  });
  if (failures.length > 0) {
    const told = failures.map((one) => ({ ...one, log: clean(one.log) }));
    return { kind: "setup", ...failedStart(told, context.clock.now() - began) };
  }
  if (result === null) return null;
  const told =
    ends === null
      ? ["It did not begin, because its services were not ready by then."]
      : ends.map((end) => endedText({ ...end, log: clean(end.log) }, services[end.name]?.run ?? ""));
  const output = [result.output, ...told].join("\n\n").trimStart();
  return { kind: "command", command, result: { ...result, output } };
}
