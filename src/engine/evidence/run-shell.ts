import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { RunningCommand } from "../../domain/evidence/running-command.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { whileShown } from "./running-command.ts";
import type { ShellReach } from "./shell-reach.ts";

/** Bytes of a command's output that are read. Less is kept, because the cut end may be half of a secret. */
const READ_BYTES = 16_000;
const KEPT_CHARACTERS = 12_000;
/** More than is read, with the runner's note of what it left out: cleaning keeps the beginning, and the end counts. */
const CLEANED_CHARACTERS = 2 * READ_BYTES;

/** Where a command runs: its directory, and the writable home; both absolute. */
export interface ShellDirectory {
  readonly path: string;
  readonly home: string;
}

/** A shell command line, and what it may reach outside its directory. */
export interface ShellTask {
  readonly purpose: RunningCommand["purpose"];
  readonly command: string;
  readonly reach: ShellReach;
  readonly signal: AbortSignal;
}

/** Returns the mark of an agent's setup and acceptance commands. */
export async function commandMark(context: EngineContext, agentId: number): Promise<string> {
  return `commands-${agentId}@${await context.directories.session(agentId)}`;
}

/**
 * Runs one shell command line as a setup or acceptance command: confined like the agent, with the repository's
 * environment variables and none of ours, within `evidence.timeout`. Null when `signal` stopped it, since it then proves
 * nothing.
 */
export async function runShell(
  context: EngineContext,
  agent: AgentRecord,
  place: ShellDirectory,
  task: ShellTask,
): Promise<CommandResult | null> {
  const { writable, hosts, registries, env, services } = task.reach;
  const { setup, evidence } = context.settingsOf(agent.repositoryId);
  const ours = { ...context.commandEnv, HOME: place.home, TMPDIR: place.home, CI: "true", ...env };
  const mark = await commandMark(context, agent.id);
  const run = () =>
    context.runner.run(
      {
        file: "/bin/sh",
        args: ["-c", task.command],
        cwd: place.path,
        env: { ...setup.environment, ...ours },
      },
      {
        writable: [place.path, ...writable],
        readable: [],
        hosts,
        registries,
        ...(services === undefined ? {} : { services }),
        mark,
        timeoutMs: evidence.timeoutMs,
        signal: task.signal,
        maxOutputBytes: READ_BYTES,
      },
    );
  const result = await whileShown(context, agent, task, run);
  if (task.signal.aborted) return null;
  const clean = cleanText(result.output, context.redact, CLEANED_CHARACTERS);
  return { ...result, output: clean.slice(-KEPT_CHARACTERS) };
}
