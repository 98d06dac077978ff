import { join } from "node:path";
import { passedVariables } from "../../../domain/access/host-variables.ts";
import { PROCESS_MARK } from "../../../domain/breakers/process-mark.ts";

/**
 * Returns the mark of a session's processes. It includes the directory, because two Flotillas on one machine
 * that work for the same repository give their sessions the same ids.
 */
export function markOf(session: { sessionId: string; baseDirectory: string }): string {
  return `${session.sessionId}@${session.baseDirectory}`;
}

/**
 * Returns the complete environment of one session's runtime and its shells; `own` are the runtime's own
 * variables. Those of the repository override none of ours.
 */
export function agentEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
  session: { sessionId: string; baseDirectory: string; environment: Readonly<Record<string, string>> },
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { home, tmp } = sessionDirectories(session.baseDirectory);
  const mark = { [PROCESS_MARK]: markOf(session) };
  return {
    // First, since only the beginning of a process's environment is read, and last, so that nothing replaces it.
    ...mark,
    ...session.environment,
    ...own,
    ...passedVariables(hostEnv),
    HOME: home,
    TMPDIR: tmp,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    ...mark,
  };
}

/** Directories in a session's base directory that the agent may write. */
export function sessionDirectories(baseDirectory: string): { home: string; tmp: string } {
  return { home: join(baseDirectory, "home"), tmp: join(baseDirectory, "tmp") };
}
