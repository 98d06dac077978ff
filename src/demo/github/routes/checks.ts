import { createCheckRun, setStatus, updateCheckRun } from "../acts/checks.ts";
import { statusesOf } from "../acts/statuses.ts";
import { resolveCommit } from "../git/refs.ts";
import { ApiError, created, notFound, ok } from "../http/answer.ts";
import { isObject, type JsonObject, optionalChoice, optionalText, requiredText } from "../http/fields.ts";
import { paged, pagedWithCount } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderCheckRun, renderStatus } from "../render/check.ts";
import { renderRepository } from "../render/repository.ts";
import type { CheckRun, Repository } from "../world/records.ts";
import { fullNameOf, now } from "../world/world.ts";

const repo = "/repos/{owner}/{repo}";

/** Routes of the App's check runs and of commit statuses. */
export const checkRoutes: Route[] = [
  repositoryRoute(`POST ${repo}/check-runs`, "checks:write", async (call, repository) => {
    if (call.actor.kind !== "installation")
      throw new ApiError(403, "You must authenticate via a GitHub App.");
    const headSha = await commitOf(repository, requiredText(call.body, "head_sha"));
    const { status = "queued", ...rest } = wantedOf(call, { status: "queued" });
    const run = await createCheckRun(call.world, repository, call.actor.account, {
      headSha,
      name: requiredText(call.body, "name"),
      externalId: "",
      // A run without its own address shows the App's.
      detailsUrl: call.world.origin,
      conclusion: null,
      completedAt: null,
      startedAt: now(call.world),
      output: { title: null, summary: null, text: null },
      status,
      ...rest,
    });
    return created(renderCheckRun(call.world, repository, run));
  }),
  repositoryRoute(`GET ${repo}/check-runs/{check_run_id}`, "checks:read", (call, repository) =>
    ok(renderCheckRun(call.world, repository, runOf(call, repository))),
  ),
  repositoryRoute(`PATCH ${repo}/check-runs/{check_run_id}`, "checks:write", async (call, repository) => {
    const run = runOf(call, repository);
    await updateCheckRun(call.world, repository, call.actor.account, run, wantedOf(call, run));
    return ok(renderCheckRun(call.world, repository, run));
  }),
  repositoryRoute(`GET ${repo}/commits/{ref}/check-runs`, "checks:read", async (call, repository) => {
    const sha = await commitOf(repository, call.params["ref"] ?? "");
    const name = call.query.get("check_name");
    const runs = repository.checkRuns.filter(
      (run) =>
        run.headSha === sha &&
        (name === null || run.name === name) &&
        (run.job?.superseded !== true || call.query.get("filter") === "all"),
    );
    return pagedWithCount(call, "check_runs", runs, (run) => renderCheckRun(call.world, repository, run));
  }),
  repositoryRoute(`POST ${repo}/statuses/{sha}`, "statuses:write", async (call, repository) => {
    const state = optionalChoice(call.body, "state", ["error", "failure", "pending", "success"]);
    if (state === undefined) throw new ApiError(422, 'Invalid request.\n\n"state" wasn\'t supplied.');
    const status = await setStatus(call.world, repository, call.actor.account, {
      sha: await commitOf(repository, call.params["sha"] ?? ""),
      state,
      context: optionalText(call.body, "context") ?? "default",
      description: optionalText(call.body, "description") ?? null,
      targetUrl: optionalText(call.body, "target_url") ?? null,
    });
    return created(renderStatus(call.world, repository, status));
  }),
  repositoryRoute(`GET ${repo}/commits/{ref}/statuses`, "statuses:read", async (call, repository) => {
    const sha = await commitOf(repository, call.params["ref"] ?? "");
    const all = repository.statuses.filter((status) => status.sha === sha).toReversed();
    return paged(call, all, (status) => renderStatus(call.world, repository, status));
  }),
  repositoryRoute(`GET ${repo}/commits/{ref}/status`, "statuses:read", async (call, repository) => {
    const sha = await commitOf(repository, call.params["ref"] ?? "");
    const statuses = statusesOf(repository, sha);
    const has = (states: readonly string[]): boolean =>
      statuses.some((status) => states.includes(status.state));
    const state = has(["error", "failure"])
      ? "failure"
      : has(["pending"]) || statuses.length === 0
        ? "pending"
        : "success";
    const url = `${call.world.api}/repos/${fullNameOf(repository)}/commits/${sha}`;
    return ok({
      state,
      sha,
      total_count: statuses.length,
      statuses: statuses.map((status) => renderStatus(call.world, repository, status)),
      repository: renderRepository(call.world, repository),
      commit_url: url,
      url: `${url}/status`,
    });
  }),
];

async function commitOf(repository: Repository, ref: string): Promise<string> {
  const sha = await resolveCommit(repository.directory, ref);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${ref}`);
  return sha;
}

function runOf(call: Call, repository: Repository): CheckRun {
  const run = repository.checkRuns.find((entry) => entry.id === Number(call.params["check_run_id"]));
  if (run === undefined) throw notFound();
  return run;
}

/** Reads a check run from the body. One with a conclusion is completed. */
function wantedOf(
  call: Call,
  old: { status: CheckRun["status"] },
): Partial<Omit<CheckRun, "id" | "suite" | "headSha" | "job">> {
  const { body } = call;
  const conclusion = optionalText(body, "conclusion");
  const asked = optionalChoice(body, "status", ["queued", "in_progress", "completed"]);
  const status = typeof conclusion === "string" ? "completed" : (asked ?? old.status);
  if (asked === "completed" && conclusion === undefined) {
    throw new ApiError(422, "Invalid request.\n\nAny check run that is completed needs a conclusion.");
  }
  const done = status === "completed" && {
    completedAt: optionalText(body, "completed_at") ?? now(call.world),
  };
  const output = isObject(body["output"]) ? { output: outputOf(body["output"]) } : {};
  const name = typeof body["name"] === "string" ? { name: body["name"] } : {};
  const externalId = optionalText(body, "external_id");
  const detailsUrl = optionalText(body, "details_url");
  return {
    status,
    ...(typeof conclusion === "string" && { conclusion }),
    ...(done === false ? {} : done),
    ...(typeof externalId === "string" && { externalId }),
    ...(typeof detailsUrl === "string" && { detailsUrl }),
    ...output,
    ...name,
  };
}

function outputOf(body: JsonObject): CheckRun["output"] {
  return {
    title: requiredText(body, "title"),
    summary: requiredText(body, "summary"),
    text: optionalText(body, "text") ?? null,
  };
}
