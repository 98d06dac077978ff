import { type Did, happened } from "./github-happened.ts";
import type { FakeRepository } from "./github-world.ts";

/** Closes an issue or a pull request; a merged one empties its branch of news. */
export function close(
  repository: FakeRepository,
  number: number,
  { merged = false, ...did }: Did & { readonly merged?: boolean } = {},
): void {
  const issue = repository.issues.get(number);
  const pull = repository.pulls.get(number);
  if (issue) Object.assign(issue, { state: "closed", stateReason: pull ? null : "completed" });
  if (merged) happened(repository, number, "merged", { ...did, commit: "c".repeat(40) });
  happened(repository, number, "closed", did);
  if (!pull) return;
  Object.assign(pull, { state: "closed", merged });
  if (merged) repository.branchesAhead.delete(pull.headRef);
}
