import { readCommit } from "../git/read-commits.ts";
import { git } from "../git/run.ts";
import { renderCheckRunEvent, renderCheckSuite, renderStatus } from "../render/check.ts";
import { renderCommit } from "../render/commit.ts";
import type {
  Account,
  ActionsJob,
  CheckRun,
  CheckSuite,
  CommitStatus,
  Repository,
} from "../world/records.ts";
import { fullNameOf, now, type World } from "../world/world.ts";
import { settleQueue } from "./merge-queue.ts";

/** Records a check run in the App's suite for the commit, and emits its webhook. */
export async function createCheckRun(
  world: World,
  repository: Repository,
  sender: Account,
  wanted: Omit<CheckRun, "id" | "suite" | "job"> & { readonly job?: ActionsJob },
): Promise<CheckRun> {
  const at = now(world);
  const known = repository.checkRuns.find((run) => run.headSha === wanted.headSha)?.suite;
  const suite: CheckSuite = known ?? {
    id: world.nextId(),
    headSha: wanted.headSha,
    createdAt: at,
    updatedAt: at,
  };
  const run = { id: world.nextId(), suite, job: null, ...wanted };
  repository.checkRuns.push(run);
  emitRun(world, repository, sender, run, "created");
  if (run.status === "completed") await completed(world, repository, sender, run);
  return run;
}

export async function updateCheckRun(
  world: World,
  repository: Repository,
  sender: Account,
  run: CheckRun,
  wanted: Partial<Omit<CheckRun, "id" | "suite" | "headSha" | "job">>,
): Promise<void> {
  const was = run.status;
  Object.assign(run, wanted);
  if (was !== "completed" && run.status === "completed") await completed(world, repository, sender, run);
}

async function completed(
  world: World,
  repository: Repository,
  sender: Account,
  run: CheckRun,
): Promise<void> {
  emitRun(world, repository, sender, run, "completed");
  await settleQueue(world, repository);
  const { suite } = run;
  suite.updatedAt = now(world);
  if (repository.checkRuns.some((entry) => entry.suite === suite && entry.status !== "completed")) return;
  const commit = await readCommit(repository.directory, suite.headSha);
  const fields = { check_suite: renderCheckSuite(world, repository, suite, commit) };
  world.emit({ event: "check_suite", action: "completed", repository, sender, fields });
}

function emitRun(world: World, repository: Repository, sender: Account, run: CheckRun, action: string): void {
  const fields = { check_run: renderCheckRunEvent(world, repository, run) };
  world.emit({ event: "check_run", action, repository, sender, fields });
}

export async function setStatus(
  world: World,
  repository: Repository,
  sender: Account,
  wanted: Omit<CommitStatus, "id" | "creator" | "createdAt">,
): Promise<CommitStatus> {
  const status = { id: world.nextId(), creator: sender, createdAt: now(world), ...wanted };
  repository.statuses.push(status);
  const commit = await readCommit(repository.directory, status.sha);
  const names = await git(repository.directory, [
    "branch",
    "--format=%(refname:short)",
    "--points-at",
    status.sha,
  ]);
  const url = `${world.api}/repos/${fullNameOf(repository)}/commits/${status.sha}`;
  const fields = {
    ...renderStatus(world, repository, status),
    sha: status.sha,
    name: fullNameOf(repository),
    commit: renderCommit(world, repository, commit),
    branches:
      names === ""
        ? []
        : names.split("\n").map((name) => ({ name, commit: { sha: status.sha, url }, protected: false })),
  };
  world.emit({ event: "status", action: null, repository, sender, fields });
  await settleQueue(world, repository);
  return status;
}
