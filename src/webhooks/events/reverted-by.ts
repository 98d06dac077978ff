import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import { revertsIn } from "../../domain/events/reverts.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { ParseContext } from "./parsing.ts";

/** What these texts of commits or of a merged pull request take back; undefined when it is nothing. */
export function revertedBy(
  texts: readonly string[],
  { base }: ParseContext,
): DomainEventOf<"reverted"> | undefined {
  const found = texts.map((text) => revertsIn(text, fullName(base.repository)));
  const commits = found.flatMap((each) => each.commits);
  const pulls = found.flatMap((each) => each.pulls);
  if (commits.length === 0 && pulls.length === 0) return undefined;
  // Who did it does not matter: it is so, and only the ledger counts it.
  return { ...base, permitted: false, type: "reverted", commits, pulls };
}
