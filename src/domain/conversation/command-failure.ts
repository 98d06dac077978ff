/** How a command ended, with the fields that a report needs. */
export interface FailedCommand {
  readonly command: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
}

/** Characters of a command's output that are shown; the evidence keeps the rest. */
const SHOWN_CHARACTERS = 2000;

/** Returns `exit code 1`, or that a time limit or a signal ended the command. */
export function howItEnded(failed: Pick<FailedCommand, "exitCode" | "timedOut">): string {
  if (failed.timedOut) return "it was ended at its time limit";
  return failed.exitCode === null ? "a signal ended it" : `exit code ${failed.exitCode}`;
}

/** Returns the end of the output as a code block that the output cannot end; empty when there is none. */
export function endOfOutput({ output }: Pick<FailedCommand, "output">): string {
  const end = output.trim().slice(-SHOWN_CHARACTERS);
  return end === "" ? "" : `The end of its output:\n\n${end.replaceAll(/^/gm, "    ")}`;
}
