/** How a command ended, as far as words about it need it. */
export interface FailedCommand {
  readonly command: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
}

/** Of a command's output so much is shown; the rest stays with the evidence. */
const SHOWN_CHARACTERS = 2000;

/** `exit code 1`. */
export function howItEnded(failed: Pick<FailedCommand, "exitCode" | "timedOut">): string {
  if (failed.timedOut) return "it was ended at its time limit";
  return failed.exitCode === null ? "a signal ended it" : `exit code ${failed.exitCode}`;
}

/** Returns the end of what it printed, as a block that nothing in it can leave; empty when it printed nothing. */
export function endOfOutput({ output }: Pick<FailedCommand, "output">): string {
  const end = output.trim().slice(-SHOWN_CHARACTERS);
  return end === "" ? "" : `The end of its output:\n\n${end.replaceAll(/^/gm, "    ")}`;
}
