import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { ShellReach } from "./shell-reach.ts";

/** Of what a command prints so much is read, and so much of that kept: what is cut first may be half of a secret. */
const READ_BYTES = 16_000;
const KEPT_CHARACTERS = 12_000;

/** Where a command runs: its directory, and the home that it may write; both absolute. */
export interface ShellDirectory {
  readonly path: string;
  readonly home: string;
}

/** A line of shell, and what it may reach beyond its place. */
export interface ShellTask {
  readonly command: string;
  readonly reach: ShellReach;
  readonly signal: AbortSignal;
}

/** The mark of an agent's setup and acceptance commands. */
export async function commandMark(context: EngineContext, agentId: number): Promise<string> {
  return `commands-${agentId}@${await context.directories.session(agentId)}`;
}

/**
 * Runs one line of shell as a setup or acceptance command: confined as the agent is, in an environment that holds
 * nothing of ours, within `evidence.timeout`. Null when it was cut off by `signal`: then it says nothing.
 */
export async function runShell(
  context: EngineContext,
  agent: AgentRecord,
  place: ShellDirectory,
  task: ShellTask,
): Promise<CommandResult | null> {
  const { writable, hosts, env } = task.reach;
  const result = await context.runner.run(
    {
      file: "/bin/sh",
      args: ["-c", task.command],
      cwd: place.path,
      env: { ...context.commandEnv, HOME: place.home, TMPDIR: place.home, CI: "true", ...env },
    },
    {
      writable: [place.path, ...writable],
      readable: [],
      hosts,
      mark: await commandMark(context, agent.id),
      timeoutMs: context.settingsOf(agent.repositoryId).evidence.timeoutMs,
      signal: task.signal,
      maxOutputBytes: READ_BYTES,
    },
  );
  if (task.signal.aborted) return null;
  const clean = cleanText(result.output, context.redact, READ_BYTES);
  return { ...result, output: clean.slice(-KEPT_CHARACTERS) };
}
