import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { branchIssue } from "../../domain/tasks/branch-name.ts";
import type { Ignored, ParseContext } from "./parsing.ts";

/** Why a pull request is none of ours, undefined when it comes from a branch of ours in the repository itself. */
export function notOurPull(
  pull: { number: number; headRef: string; headRepositoryId: number | null },
  { base, tools }: ParseContext,
): Ignored | undefined {
  const ours =
    pull.headRepositoryId === base.repository.id &&
    branchIssue(tools.settings.branches, pull.headRef) !== undefined;
  return ours ? undefined : { ignored: `#${pull.number} is not from a branch of ours` };
}

/** How a pull request has ended; null while it is open. */
export function endOf(pull: {
  readonly merged: boolean;
  readonly closed: boolean;
}): DomainEventOf<"reviewed">["ended"] {
  if (pull.merged) return "merged";
  return pull.closed ? "closed" : null;
}
