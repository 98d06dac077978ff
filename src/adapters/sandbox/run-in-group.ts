import type { Clock } from "../../domain/ports/clock.ts";
import type { Command } from "../../domain/ports/runner.ts";
import type { AgentGroups } from "./groups/agent-groups.ts";
import { killMarkedProcesses } from "./marked-processes.ts";
import { type Ended, type HowToRun, runCommand } from "./run-command.ts";

/** Runs a confined command to its end in the group of its agent. Its output ends with why the kernel ended it, where it did. */
export async function runInGroup(
  groups: AgentGroups,
  command: Command,
  options: HowToRun,
  clock: Clock,
): Promise<Ended> {
  const stay = groups.enter(command, options.mark);
  try {
    const ended = await runCommand(stay.command, options, clock);
    const why = ended.exitCode === 0 ? null : stay.memoryEnd();
    return why === null ? ended : { ...ended, output: `${ended.output}\n[The system ended it: ${why}]` };
  } finally {
    await stay.end();
  }
}

/** Kills the processes with these marks; what they had started ends with them where it shares no group with others. */
export async function killInGroups(groups: AgentGroups, marks: readonly string[]): Promise<number> {
  const found = await killMarkedProcesses(marks);
  await groups.leave(marks);
  return found;
}
