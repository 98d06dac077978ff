import { cancel } from "../agents/agent-changes.ts";
import { type AgentRecord, isLive, isOnPull } from "../agents/agent-record.ts";
import { isCoder, type Role, roleForLabel } from "../agents/role.ts";
import { refusedRuntime } from "../agents/runtime-choice.ts";
import { newAgentOf } from "../agents/start-role.ts";
import type { IssueFacts, PersonsPull } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState, NO_CHANGES } from "../kernel/change-set.ts";
import { isBranchName } from "../kernel/is-branch-name.ts";
import type { Settings } from "../settings/settings.ts";
import { takesWork } from "./base-branch.ts";
import { branchIssue, printBranch } from "./branch-name.ts";
import { refusedOnPull } from "./refused-on-pull.ts";

/** Who asks for work on a person's pull request, and what. */
export interface AskedFix {
  readonly at: number;
  readonly actor: string;
  /** The pull request. */
  readonly issue: Pick<IssueFacts, "state" | "locked" | "labels">;
  readonly theirs: PersonsPull;
  /** Full name of the repository. */
  readonly repository: string;
  /** What the person tells the agent; null = nothing. */
  readonly words: string | null;
}

/**
 * Starts a coder on the head of a person's pull request: one agent at a time. Its commits go on top of the pull request's
 * branch where that may be pushed to; else they are offered as a patch. `view` is that of the pull request.
 */
export function fixPull(view: IssueState, asked: AskedFix): ChangeSet {
  const { at, actor, issue, theirs, words } = asked;
  const unfit = refusedOnPull(view, {
    theirs,
    state: issue.state,
    locked: issue.locked,
    command: "/flotilla fix",
    afterMerge: "open an issue for what is left to do",
  });
  if (unfit !== null) return unfit;
  const role = coderFor(view.settings, issue.labels);
  if (role === undefined)
    return decisionOnly("no_role", "no role changes code here", {
      change: "have a role with `evidence: code` configured",
      shown: true,
    });
  const ended = view.agents.filter(({ state }) => state === "ESCALATED");
  const live = view.agents.find((agent) => isLive(agent) && !ended.includes(agent));
  if (live !== undefined)
    return decisionOnly("rival", `${live.name} already works on #${view.issue} (${live.state})`, {
      agentId: live.id,
      change: "it continues; `/flotilla cancel` ends it",
      shown: true,
    });
  const runtime = { asked: undefined, labels: issue.labels };
  const refused = refusedRuntime(role, view, runtime);
  if (refused !== null)
    return decisionOnly("choice_refused", refused.fault, { change: refused.change, shown: true });
  const attempt = 1 + view.agents.filter((agent) => agent.role === role.name).length;
  const own = printBranch(view.settings.branches, { role: role.name, number: view.issue, attempt });
  const branch = takesPushes(view, asked) ? theirs.headRef : own;
  const kept = { branch, prNumber: view.issue };
  return {
    ...NO_CHANGES,
    moves: [
      ...ended.map((agent) => cancel({ at, actor: { login: actor } }, agent, `@${actor} asked for it anew`)),
      {
        machine: "agent",
        id: null,
        event: {
          type: "CREATE",
          at,
          actor,
          newAgent: { ...newAgentOf(role, view, at, kept, runtime), headCommit: theirs.headSha },
          entry: { assignedTo: null },
          ...(words === null ? {} : { words }),
        },
      },
    ],
  };
}

/** Returns the coder that a label starts, or else the first one of the configuration. */
function coderFor({ roles }: Settings, labels: readonly string[]): Role | undefined {
  const coders = [...roles.values()].filter((role) => isCoder(role) && role.lifecycle === "persistent");
  const named = labels.flatMap((label) => roleForLabel(roles, label) ?? []);
  return named.find((role) => coders.includes(role)) ?? coders[0];
}

/**
 * Returns whether an agent may push on top of the pull request's branch: it is in the repository itself, so who pushed it may
 * write there, and no work goes to it, so that a push changes nothing but this pull request.
 */
function takesPushes(
  view: IssueState,
  { theirs, repository }: Pick<AskedFix, "theirs" | "repository">,
): boolean {
  return (
    theirs.headRepository?.toLowerCase() === repository.toLowerCase() &&
    !takesWork(view, theirs.headRef) &&
    isBranchName(theirs.headRef)
  );
}

/**
 * Returns whether a coder's work on a person's pull request stays on this machine, on a branch of its own, and is offered as
 * a patch. Nothing of a fork may become a branch of the repository, whose workflows run with its secrets.
 */
export function offersPatch(
  agent: Pick<AgentRecord, "issue" | "prNumber" | "branch">,
  { branches }: Pick<Settings, "branches">,
): boolean {
  return isOnPull(agent) && agent.branch !== null && branchIssue(branches, agent.branch) === agent.issue;
}
