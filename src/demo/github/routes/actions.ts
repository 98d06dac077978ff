import { rerunJob } from "../acts/actions.ts";
import { readCommit } from "../git/read-commits.ts";
import { resolveCommit } from "../git/refs.ts";
import { ApiError, created, forbidden, notFound, ok } from "../http/answer.ts";
import { pagedWithCount } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderCheckSuite } from "../render/check.ts";
import { renderJob } from "../render/job.ts";
import { renderRepository } from "../render/repository.ts";
import type { ActionsJob, CheckRun, CheckSuite, Repository } from "../world/records.ts";
import { now } from "../world/world.ts";

const repo = "/repos/{owner}/{repo}";

/** Routes of workflow jobs and of a commit's check suites. */
export const actionsRoutes: Route[] = [
  repositoryRoute(`GET ${repo}/actions/jobs/{job_id}`, "actions:read", (call, repository) =>
    ok(renderJob(call.world, repository, jobOf(call, repository))),
  ),
  repositoryRoute(`GET ${repo}/actions/jobs/{job_id}/logs`, "actions:read", (call, repository) => {
    const { id } = jobOf(call, repository);
    return { status: 302, text: "", headers: { location: `${call.world.origin}/job-logs/${id}` } };
  }),
  repositoryRoute(`POST ${repo}/actions/jobs/{job_id}/rerun`, "actions:write", async (call, repository) => {
    const run = jobOf(call, repository);
    if (run.status !== "completed" || run.job.superseded)
      throw forbidden("The job is already running or was run again.");
    await rerunJob(call.world, repository, call.actor.account, run);
    return created({});
  }),
  repositoryRoute(`GET ${repo}/commits/{ref}/check-suites`, "checks:read", async (call, repository) => {
    const sha = await resolveCommit(repository.directory, call.params["ref"] ?? "");
    if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${call.params["ref"]}`);
    const commit = await readCommit(repository.directory, sha);
    const suites = suitesOf(call, repository, sha);
    return pagedWithCount(call, "check_suites", suites, (suite) => ({
      ...renderCheckSuite(call.world, repository, suite, commit),
      ...(suite.held ? { conclusion: "action_required" } : {}),
      repository: renderRepository(call.world, repository),
    }));
  }),
];

function suitesOf(
  { world }: Call,
  repository: Repository,
  headSha: string,
): readonly (CheckSuite & { readonly held: boolean })[] {
  const ran = repository.checkRuns.filter((run) => run.headSha === headSha).map(({ suite }) => suite);
  const suites = [...new Set(ran)].map((suite) => ({ ...suite, held: false }));
  if (!repository.heldCommits.has(headSha)) return suites;
  const at = now(world);
  return [...suites, { id: repository.id, headSha, createdAt: at, updatedAt: at, held: true }];
}

function jobOf(call: Call, repository: Repository): CheckRun & { job: ActionsJob } {
  const run = repository.checkRuns.find(({ id }) => id === Number(call.params["job_id"]));
  if (run === undefined || !isJob(run)) throw notFound();
  return run;
}

function isJob(run: CheckRun): run is CheckRun & { job: ActionsJob } {
  return run.job !== null;
}
