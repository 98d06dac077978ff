import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type RunningCommand, SHOWN_AFTER_MS } from "../../domain/evidence/running-command.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Runs one command and shows it meanwhile: in the log, on the page, and, when it takes longer than a moment, in the
 * issue's status comment.
 */
export async function whileShown(
  context: EngineContext,
  agent: AgentRecord,
  { purpose, command }: Pick<RunningCommand, "purpose" | "command">,
  run: () => Promise<CommandResult>,
): Promise<CommandResult> {
  const { clock, runningCommands } = context;
  const about = { agentId: agent.id, purpose, command: context.redact(command) };
  const running: RunningCommand = { purpose, command, since: clock.now() };
  runningCommands.set(agent.id, running);
  context.log.debug(about, "command began");
  let shown: Promise<void> | undefined;
  const cancel = clock.after(SHOWN_AFTER_MS, () => {
    shown = renew(context, agent, running, "began");
  });
  try {
    const result = await run();
    const { exitCode, timedOut, durationMs, refusedHosts, refusals } = result;
    context.log.info({ ...about, exitCode, timedOut, durationMs, refusedHosts, refusals }, "command ended");
    return result;
  } finally {
    cancel();
    runningCommands.delete(agent.id);
    if (shown !== undefined) {
      await shown;
      await renew(context, agent, running, "ended");
    }
  }
}

/** Rewrites the issue's status comment. An error is only logged: the command matters more than its comment. */
async function renew(
  { store, clock, log, changed }: EngineContext,
  { id, repositoryId, issue }: AgentRecord,
  { since }: RunningCommand,
  what: "began" | "ended",
): Promise<void> {
  try {
    const row = issueEffect({ repositoryId, issue, effect: { kind: "status_comment" }, at: clock.now() });
    await store.effects.add([{ ...row, key: `command:${id}:${since}:${what}` }]);
    changed();
  } catch (error) {
    log.warn({ error, agentId: id }, "status comment of a running command not renewed");
  }
}
