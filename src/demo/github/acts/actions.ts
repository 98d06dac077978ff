import type { Account, CheckRun, Repository } from "../world/records.ts";
import { now, type World } from "../world/world.ts";
import { createCheckRun } from "./checks.ts";

/** How a workflow job ends; `step` names the step that failed. */
export interface WantedJob {
  readonly name: string;
  readonly conclusion: "success" | "failure" | "cancelled";
  readonly step?: string;
  readonly log?: string;
}

/** Runs one workflow job on a commit; it ends at once. Returns the id that the job and its check run share. */
export async function runJob(
  world: World,
  repository: Repository,
  sender: Account,
  { commit, name, conclusion, step, log = "" }: WantedJob & { readonly commit: string },
): Promise<number> {
  const steps = [
    { name: "Set up job", conclusion: "success" },
    ...(step === undefined ? [] : [{ name: step, conclusion }]),
  ];
  supersede(repository, commit, name);
  const run = await createCheckRun(world, repository, sender, {
    ...fieldsOf(world, commit, name),
    status: "completed",
    conclusion,
    completedAt: now(world),
    job: { steps, log, superseded: false },
  });
  return run.id;
}

/** Queues the same job again, under a new id. */
export async function rerunJob(
  world: World,
  repository: Repository,
  sender: Account,
  run: CheckRun,
): Promise<void> {
  supersede(repository, run.headSha, run.name);
  await createCheckRun(world, repository, sender, {
    ...fieldsOf(world, run.headSha, run.name),
    status: "queued",
    conclusion: null,
    completedAt: null,
    job: { steps: [], log: "", superseded: false },
  });
}

function supersede(repository: Repository, commit: string, name: string): void {
  for (const run of repository.checkRuns)
    if (run.headSha === commit && run.name === name && run.job !== null) run.job.superseded = true;
}

function fieldsOf(
  world: World,
  headSha: string,
  name: string,
): Pick<CheckRun, "headSha" | "name" | "externalId" | "detailsUrl" | "startedAt" | "output"> {
  const output = { title: null, summary: null, text: null };
  return { headSha, name, externalId: "", detailsUrl: world.origin, startedAt: now(world), output };
}
