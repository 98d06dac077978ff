import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { CommandResult } from "../../core/ports/runner.ts";
import { cleanText } from "../../core/text/clean.ts";
import type { EngineContext } from "../context.ts";

/** Of what a command prints so much is read, and so much of that kept: what is cut first may be half of a secret. */
const READ_BYTES = 16_000;
const KEPT_CHARACTERS = 12_000;

/** Where a command runs: its directory, and the home that it may write. */
export interface ShellPlace {
  readonly path: string;
  readonly home: string;
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
  place: ShellPlace,
  task: { readonly command: string; readonly signal: AbortSignal },
): Promise<CommandResult | null> {
  const result = await context.runner.run(
    {
      file: "/bin/sh",
      args: ["-c", task.command],
      cwd: place.path,
      env: { ...context.commandEnv, HOME: place.home, TMPDIR: place.home, CI: "true" },
    },
    {
      writable: [place.path, place.home],
      mark: await commandMark(context, agent.id),
      timeoutMs: context.settings.evidence.timeoutMs,
      signal: task.signal,
      maxOutputBytes: READ_BYTES,
    },
  );
  if (task.signal.aborted) return null;
  const clean = cleanText(result.output, context.redact, READ_BYTES);
  return { ...result, output: clean.slice(-KEPT_CHARACTERS) };
}
