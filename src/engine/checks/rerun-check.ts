import { holdText } from "../../domain/breakers/hold.ts";
import { decisionOnly } from "../../domain/kernel/change-set.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { Executor } from "../outbox/execution.ts";
import { holdsOnIssue } from "../status/holds-around.ts";

/** Codes with which GitHub refuses to rerun a job. */
const REFUSALS: readonly string[] = ["forbidden", "not_found", "invalid"];

/**
 * Asks GitHub to rerun a failed job, once: checks first whether the rerun was requested or is running. A job
 * that GitHub refuses to rerun is left to a person.
 */
export const rerunCheck: Executor<"rerun_check"> = async ({
  context,
  repository,
  effect,
  row: { issue },
}) => {
  const { github, store, clock } = context;
  const { commit, check, run, job, agentId } = effect;
  const key = { repositoryId: repository.id, ref: commit, name: check, run };
  const row = (await store.checks.ofRef(repository.id, commit)).find(
    (one) => one.name === check && one.run === run,
  );
  if (row === undefined || row.rerun !== null) return { result: { already: row?.rerun ?? null } };
  const stands = (await github.checks(repository, commit)).some(
    (one) => one.run?.id === job && one.state === "red",
  );
  // Checked last, because somebody may pause the issue while GitHub is read. Nothing is recorded: the next
  // refresh tries again.
  const holds = await holdsOnIssue(context, { repositoryId: repository.id, issue });
  if (holds.length > 0) return { result: { held: holdText(holds) } };
  try {
    if (stands) await github.rerunJob(repository, job);
    return {
      result: { asked: stands },
      also: (tables) => tables.checks.rerun(key, "asked", clock.now()),
    };
  } catch (error) {
    if (!(error instanceof GitHubError) || !REFUSALS.includes(error.code)) throw error;
    return {
      result: { refused: error.message },
      changes: decisionOnly(
        "checks_by_hand",
        `GitHub does not run ${check} again for us (${error.message})`,
        {
          agentId,
          change: `run ${check} again by hand on the pull request's page`,
          inputs: { commit, check },
        },
      ),
      also: (tables) => tables.checks.rerun(key, "refused", clock.now()),
    };
  }
};
