import { holdText } from "../../domain/breakers/hold.ts";
import { decisionOnly } from "../../domain/kernel/change-set.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { Executor } from "../outbox/execution.ts";
import { holdsOnIssue } from "../status/holds-around.ts";

/** Answers by which GitHub says that this job is not run again. */
const REFUSALS: readonly string[] = ["forbidden", "not_found", "invalid"];

/**
 * Asks for a failed job to be run again, once: whether it was asked, or runs already, is looked up first. What GitHub
 * does not run again a person must.
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
  // Last: somebody may pause it while GitHub is asked. Nothing is noted: the regular look at these checks asks again.
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
      reaction: decisionOnly(
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
