import type { DecisionRow, TransitionRow } from "../kernel/rows.ts";
import { moment, oneLine } from "../messages/format.ts";

/** The latest command on an issue, and what its delivery wrote. `at` = milliseconds since the epoch. */
export interface CommandFacts {
  readonly at: number;
  readonly verb: string;
  readonly by: string;
  readonly decisions: readonly DecisionRow[];
  readonly transitions: readonly TransitionRow[];
}

/** Returns the result of the latest command; nothing where there was none. */
export function lastCommand(command: CommandFacts | null): readonly string[] {
  if (command === null) return [];
  const { at, verb, by } = command;
  return [`Last command, ${moment(at)}: \`/flotilla ${verb}\` by ${by}: ${oneLine(outcome(command))}.`, ""];
}

/**
 * Returns the result in words. A refusal comes first: other parts of the command may have been done, and the table
 * shows them.
 */
function outcome({ decisions, transitions }: CommandFacts): string {
  // Strangers' pull requests are only mentioned: the agent starts beside them.
  const refusal = decisions.find(({ change, rule }) => change !== null && rule !== "strangers_pull");
  if (refusal !== undefined) return `refused, ${refusal.reason} — ${refusal.change}`;
  const moved = transitions.filter(({ machine }) => machine === "agent" || machine === "task");
  if (moved.length === 0) return "taken";
  return moved.map(({ machine, from, to }) => `${machine} ${from} → ${to}`).join(", ");
}
