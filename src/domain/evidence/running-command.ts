import { inlineCode } from "../messages/inline-code.ts";

/** A setup or acceptance command, or an app of which pictures are taken, that Flotilla runs for an agent at this moment. */
export interface RunningCommand {
  readonly purpose: "worktree" | "checkout" | "proof" | "screens";
  readonly command: string;
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
}

/** A command that runs for longer than this is shown on the issue; most end before. */
export const SHOWN_AFTER_MS = 10_000;

const PURPOSES: Readonly<Record<RunningCommand["purpose"], string>> = {
  worktree: "prepares its worktree",
  checkout: "prepares a clean checkout",
  proof: "is being checked",
  screens: "has pictures taken of its app",
};

/** Returns what an agent does while the command runs: "prepares its worktree: `npm ci`, since 14:07 UTC". */
export function runningCommandText({ purpose, command, since }: RunningCommand): string {
  const time = new Date(since).toISOString().slice(11, 16);
  return `${PURPOSES[purpose]}: ${inlineCode(command)}, since ${time} UTC`;
}
