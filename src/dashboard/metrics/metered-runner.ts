import type { Runner } from "../../core/ports/runner.ts";
import type { Instruments } from "./instruments.ts";

/** The same runner, with the processes counted that it begins: an agent's own, and the host's commands for it. */
export function meteredRunner(runner: Runner, { sandboxStarts }: Pick<Instruments, "sandboxStarts">): Runner {
  const counted = async <T>(use: "agent" | "command", work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      sandboxStarts.inc({ use, outcome: "started" });
      return result;
    } catch (error) {
      sandboxStarts.inc({ use, outcome: "failed" });
      throw error;
    }
  };
  return {
    description: runner.description,
    confine: (command, reach) => counted("agent", () => runner.confine(command, reach)),
    run: (command, options) => counted("command", () => runner.run(command, options)),
    killMarked: (marks) => runner.killMarked(marks),
    countMarked: (marks) => runner.countMarked(marks),
  };
}
