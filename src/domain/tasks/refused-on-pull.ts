import { refusedUnconfined } from "../agents/start-role.ts";
import type { PersonsPull } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";
import { baseRefused, takesWork } from "./base-branch.ts";

interface AskedOnPull {
  readonly theirs: PersonsPull;
  readonly state: "open" | "closed";
  readonly locked: boolean;
  /** The command that asks for the work. */
  readonly command: "/flotilla review" | "/flotilla fix";
  /** What a person can do once the pull request is merged. */
  readonly afterMerge: string;
}

/** Returns the decision that no agent works on a person's pull request, with the reason; null where one may. */
export function refusedOnPull(view: IssueState, asked: AskedOnPull): ChangeSet | null {
  const { theirs, command } = asked;
  const unconfined = refusedUnconfined(view);
  if (unconfined !== null) return unconfined;
  if (asked.state === "closed")
    return decisionOnly("closed", `#${view.issue} is ${theirs.merged ? "merged" : "closed"}`, {
      change: theirs.merged ? asked.afterMerge : "reopen the pull request",
      shown: true,
    });
  if (asked.locked)
    return decisionOnly("locked", `#${view.issue} is locked`, {
      change: `unlock it and say \`${command}\``,
      shown: true,
    });
  if (takesWork(view, theirs.baseRef)) return null;
  return baseRefused({
    fault: `#${view.issue} goes into \`${theirs.baseRef}\`, and Flotilla works only on branches that the configuration names`,
    change: `have the branch added to \`bases\` in \`.github/flotilla.yml\`, then say \`${command}\``,
  });
}
