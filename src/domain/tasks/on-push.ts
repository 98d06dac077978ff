import { z } from "zod";
import type { AgentRecord } from "../agents/agent-record.ts";
import { isLive } from "../agents/agent-record.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import type { DecisionRow } from "../kernel/rows.ts";
import { shortCommit } from "../messages/commit-link.ts";
import { newCommit } from "./new-commit.ts";

/** Pauses an agent at once when anybody else pushes to its branch, because only one of them may write to it. */
export function onPushed(event: DomainEventOf<"pushed">, view: IssueState): ChangeSet {
  const { at, headRef, tip } = event;
  const actor = event.actor.login;
  const owners = view.agents.filter((one) => one.branch === headRef);
  const agent = owners.find(isLive);
  if (agent === undefined) return onPushedAfter(event, view, owners.at(-1));
  const about = { agentId: agent.id };
  if (tip === null)
    return decisionOnly("branch_deleted", `@${actor} deleted \`${headRef}\`; the agent's commits are kept`, {
      ...about,
      change: "its next push creates the branch again; `/flotilla release` ends the work",
      shown: true,
    });
  const why = `@${actor} pushed ${shortCommit(tip)} to its branch \`${headRef}\``;
  const noted = decisionOnly("foreign_commit", why, {
    ...about,
    inputs: { by: actor, id: event.actor.id },
    change:
      "`/flotilla resume` lets it continue on top of that, `/flotilla release` leaves the branch to people",
    shown: true,
  });
  const voided = newCommit(view.task, { at, actor, commit: tip });
  if (agent.state === "ESCALATED") return mergeChanges({ ...NO_CHANGES, moves: voided }, noted);
  return mergeChanges(
    {
      ...NO_CHANGES,
      moves: [
        ...voided,
        { machine: "agent", id: agent.id, event: { type: "PAUSE", at, actor, holder: "commit", why } },
      ],
    },
    noted,
  );
}

/** Puts a new commit of finished work up for review, if the work is or was reviewed. */
function onPushedAfter(
  { at, actor, headRef, tip }: DomainEventOf<"pushed">,
  { task }: IssueState,
  owner: AgentRecord | undefined,
): ChangeSet {
  const voided = tip === null ? [] : newCommit(task, { at, actor: actor.login, commit: tip });
  if (owner === undefined || tip === null || voided.length === 0)
    return decisionOnly("nobody_concerned", `no agent works on \`${headRef}\``);
  const why = `@${actor.login} pushed ${shortCommit(tip)} to \`${headRef}\`: verdicts on the previous commit no longer count`;
  return mergeChanges(
    { ...NO_CHANGES, moves: voided },
    decisionOnly("foreign_commit", why, {
      agentId: owner.id,
      inputs: { by: actor.login, id: actor.id },
      change: "review the new commit",
      shown: true,
    }),
  );
}

const pusher = z.object({ by: z.string(), id: z.int() });

/** Returns ids of the accounts that pushed to an agent's branch, from the decisions about that. */
export function pushersIn(decisions: readonly Pick<DecisionRow, "inputs">[]): readonly number[] {
  return decisions.flatMap(({ inputs }) => {
    const read = pusher.safeParse(inputs);
    return read.success ? [read.data.id] : [];
  });
}
