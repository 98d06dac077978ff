import { type AgentRecord, isLive } from "../machines/agent-record.ts";
import type { OccurrenceOf } from "../occurrence.ts";
import { decided, joined, NOTHING, type Reaction, type View } from "../reaction.ts";
import { personNamed } from "../text/person-named.ts";

type Late = OccurrenceOf<"reviewed"> & { readonly ended: "merged" | "closed" };

/** A review of a pull request that was merged or closed changes nothing; a person who asks for changes is told how to get them. */
export function onEndedPull(review: Late, { id: agentId }: AgentRecord, { issue, agents }: View): Reaction {
  const { pull, headRef, ended, verdict, actor, source } = review;
  const by = personNamed(actor.login);
  const how = ended === "merged" ? "is merged" : "was closed without a merge";
  const later = agents.find((agent) => agent.coder && isLive(agent) && agent.branch !== headRef);
  const change =
    later !== undefined
      ? `say it in a comment on #${issue} that mentions Flotilla: ${later.name} reads it`
      : ended === "merged"
        ? `open a new issue for what should change, or reopen #${issue}: an agent then starts again on a new branch`
        : `say \`/flotilla start\` on #${issue} (reopen it first if it is closed): an agent then starts again on a new branch`;
  const noted = decided("pull_over", `#${pull} ${how}: the review by ${by} changes nothing`, {
    agentId,
    change,
  });
  if (verdict !== "changes_requested") return noted;
  const body = `${by} #${pull} ${how}, so your request for changes has no effect on it.\n\nInstead: ${change}.`;
  return joined(noted, {
    ...NOTHING,
    effects: [{ kind: "post_comment", name: `answer-${source.replace(":", "-")}`, body }],
  });
}
