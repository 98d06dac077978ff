import type { IssueFacts } from "../occurrence.ts";
import { decided, type Reaction, type View } from "../reaction.ts";
import type { Role } from "../role.ts";
import { startRole } from "./start-role.ts";

/**
 * An open issue that carried a role's label before Flotilla came to its repository: its start is offered to people and
 * never made by itself. What holds up every start is the decision in its place, and is not told on the issue.
 */
export function offerStart(
  role: Role,
  view: View,
  { issue, label, at, actor }: { issue: IssueFacts; label: string; at: number; actor: string },
): Reaction {
  const start = startRole(role, view, { at, actor, issue, personPull: null });
  if (start.moves.length === 0) return { ...start, effects: [] };
  return decided(
    "offered",
    `the issue carried \`${label}\` before Flotilla came here, and nothing was started`,
    {
      change: `a person with write permission says \`/flotilla start ${role.name}\``,
      shown: true,
    },
  );
}
