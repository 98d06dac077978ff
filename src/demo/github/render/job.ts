import type { ActionsJob, CheckRun, Repository } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";

/** Renders a job of GitHub Actions: the facts of its check run, with its steps. */
export function renderJob(
  world: World,
  repository: Repository,
  run: CheckRun & { job: ActionsJob },
): Record<string, unknown> {
  const api = `${world.api}/repos/${fullNameOf(repository)}`;
  const page = `${world.origin}/${fullNameOf(repository)}/actions/runs/${run.suite.id}`;
  return {
    id: run.id,
    node_id: nodeId("Job", run.id),
    run_id: run.suite.id,
    run_url: `${api}/actions/runs/${run.suite.id}`,
    run_attempt: 1,
    workflow_name: "Checks",
    head_branch: null,
    head_sha: run.headSha,
    name: run.name,
    url: `${api}/actions/jobs/${run.id}`,
    html_url: `${page}/job/${run.id}`,
    status: run.status,
    conclusion: run.conclusion,
    created_at: run.startedAt,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    steps: run.job.steps.map(({ name, conclusion }, index) => ({
      name,
      status: "completed",
      conclusion,
      number: index + 1,
      started_at: run.startedAt,
      completed_at: run.completedAt,
    })),
    check_run_url: `${api}/check-runs/${run.id}`,
    labels: ["ubuntu-latest"],
    runner_id: 1,
    runner_name: "local",
    runner_group_id: 1,
    runner_group_name: "local",
  };
}
