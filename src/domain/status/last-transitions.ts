import type { TransitionRow } from "../kernel/rows.ts";
import { moment, oneLine } from "../messages/format.ts";

/** Returns the moves of an issue's agents and task in a fold, the latest first; nothing where there are none. */
export function lastTransitions(rows: readonly TransitionRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const lines = rows.toReversed().map((row) => {
    const reason = row.reason === null ? "" : `: ${oneLine(row.reason)}`;
    return `- ${moment(row.at)} ${row.machine} ${row.from} → ${row.to} (${row.event} by ${nameOf(row.actor)})${reason}`;
  });
  return ["", "<details><summary>History</summary>", "", ...lines, "", "</details>"];
}

/** The operator's account name is not shown on GitHub. */
function nameOf(actor: string): string {
  return actor.startsWith("operator:") ? "the operator" : actor;
}
