import { type ChecksVerdict, judgeChecks } from "../../core/evidence/checks.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import type { EngineContext } from "../context.ts";

/** How the checks stand that the configuration or GitHub itself requires of a commit for the default branch. */
export async function requiredChecks(
  context: EngineContext,
  repository: RepositoryRow,
  commit: string,
): Promise<ChecksVerdict> {
  const configured = context.settings.evidence.requiredChecks;
  const required = [
    ...configured,
    ...(await context.github.requiredChecks(repository, repository.defaultBranch)),
  ];
  if (required.length === 0) return { failed: [], pending: [] };
  return judgeChecks(required, await context.github.checks(repository, commit));
}
