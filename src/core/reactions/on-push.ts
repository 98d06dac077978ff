import { isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";

/** Somebody else's commits on an agent's branch pause it at once, whoever pushed: two must not write to one branch. */
export function onPushed(occurrence: OccurrenceOf<"pushed">, view: View): Reaction {
  const { at, headRef, tip } = occurrence;
  const actor = occurrence.actor.login;
  const [agent] = view.agents.filter((one) => one.branch === headRef && isLive(one));
  if (agent === undefined) return decided("nobody_concerned", `no agent works on \`${headRef}\``);
  const about = { agentId: agent.id };
  if (tip === null)
    return decided("branch_deleted", `@${actor} deleted \`${headRef}\`; the agent's commits are kept`, {
      ...about,
      change: "its next push makes the branch again; `/flotilla release` ends the work",
      shown: true,
    });
  const why = `@${actor} pushed \`${tip.slice(0, 7)}\` to its branch \`${headRef}\``;
  const noted = decided("foreign_commit", why, {
    ...about,
    change:
      "`/flotilla resume` lets it go on on top of that, `/flotilla release` leaves the branch to people",
    shown: true,
  });
  if (agent.state === "ESCALATED") return noted;
  return joined(
    {
      ...NOTHING,
      moves: [{ machine: "agent", id: agent.id, event: { type: "PAUSE", at, actor, holder: "commit", why } }],
    },
    noted,
  );
}
