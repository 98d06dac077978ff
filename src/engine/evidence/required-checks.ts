import type { Missing } from "../../core/evidence/missing.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import { type CommitLook, lookAtCommit } from "../checks/look-at-commit.ts";
import type { EngineContext } from "../context.ts";

/** How the required checks of a claimed commit stand. */
export interface ChecksEvidence {
  /** Those that fail by the commit's own doing. */
  readonly failed: readonly Extract<Missing, { kind: "check_failed" }>[];
  /** Those that are neither green nor a failure of the commit's own: they run, or something else stands in their way. */
  readonly pending: readonly string[];
  readonly look: CommitLook;
}

/** `since` = when the commit began to wait for its checks, in milliseconds since the epoch. */
export async function requiredChecks(
  context: EngineContext,
  repository: RepositoryRow,
  { commit, since }: { readonly commit: string; readonly since: number },
): Promise<ChecksEvidence> {
  const look = await lookAtCommit(context, repository, { commit, since });
  const { verdict, red } = look;
  switch (verdict.kind) {
    case "green":
      return { failed: [], pending: [], look };
    case "own_failure":
      return {
        failed: red
          .filter(({ name }) => verdict.checks.includes(name))
          .map(({ name: check, conclusion, job, step, log }) => ({
            kind: "check_failed",
            check,
            conclusion,
            job,
            step,
            log,
          })),
        pending: [],
        look,
      };
    case "flaky":
      return { failed: [], pending: verdict.reruns.map(({ check }) => check), look };
    default:
      return { failed: [], pending: verdict.checks, look };
  }
}
