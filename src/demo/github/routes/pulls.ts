import { asPull } from "../acts/emit.ts";
import { closeIssue, editIssue, reopenIssue } from "../acts/issues.ts";
import { mergePull } from "../acts/merge-pull.ts";
import { readMergeability } from "../acts/pull-facts.ts";
import { changeBase, openPull, requestReviewers } from "../acts/pulls.ts";
import { readCommits } from "../git/read-commits.ts";
import { readDiff } from "../git/read-diff.ts";
import { type Answer, created, noContent, notFound, ok } from "../http/answer.ts";
import {
  optionalBoolean,
  optionalChoice,
  optionalText,
  optionalTexts,
  requiredText,
} from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderCommit, renderFile } from "../render/commit.ts";
import { notComputed, renderPull, renderPullSimple } from "../render/pull.ts";
import type { PullRequest, Repository } from "../world/records.ts";
import { demandAuthorOr, pullOf, sorted, viaApp } from "./find.ts";

const all = "/repos/{owner}/{repo}/pulls";
const one = `${all}/{pull_number}`;

export const pullRoutes: Route[] = [
  repositoryRoute(`GET ${all}`, "pull_requests:read", (call, repository) =>
    paged(call, listPulls(call, repository), (issue) => renderPullSimple(call.world, repository, issue)),
  ),
  repositoryRoute(`POST ${all}`, "pull_requests:write", open, "read"),
  repositoryRoute(`GET ${one}`, "pull_requests:read", async (call, repository) => {
    const issue = pullOf(call, repository);
    if (/\bapplication\/vnd\.github\.(v3\.)?diff\b/.test(call.accept)) return await diffOf(repository, issue);
    return ok(renderPull(call.world, repository, issue, await readMergeability(repository, issue)));
  }),
  repositoryRoute(`PATCH ${one}`, "pull_requests:write", change, "read"),
  repositoryRoute(`GET ${one}/commits`, "pull_requests:read", async (call, repository) => {
    const { pull } = pullOf(call, repository);
    const commits = await readCommits(repository.directory, [`${pull.mergeBaseSha}..${pull.headSha}`]);
    return paged(call, commits.toReversed(), (commit) => renderCommit(call.world, repository, commit));
  }),
  repositoryRoute(`GET ${one}/files`, "pull_requests:read", async (call, repository) => {
    const { pull } = pullOf(call, repository);
    const files = await readDiff(repository.directory, pull.mergeBaseSha, pull.headSha);
    return paged(call, files, (file) => renderFile(call.world, repository, file, pull.headSha));
  }),
  repositoryRoute(`GET ${one}/merge`, "pull_requests:read", (call, repository) => {
    if (pullOf(call, repository).pull.mergedAt === null) throw notFound();
    return noContent;
  }),
  repositoryRoute(`PUT ${one}/merge`, "contents:write", async (call, repository) => {
    const { body, world } = call;
    const method = optionalChoice(body, "merge_method", ["merge", "squash", "rebase"]) ?? "merge";
    const sha = await mergePull(world, repository, call.actor.account, pullOf(call, repository), {
      sha: optionalText(body, "sha") ?? undefined,
      method,
      title: optionalText(body, "commit_title") ?? undefined,
      message: optionalText(body, "commit_message") ?? undefined,
    });
    return ok({ sha, merged: true, message: "Pull Request successfully merged" });
  }),
  repositoryRoute(`POST ${one}/requested_reviewers`, "pull_requests:write", (call, repository) => {
    const issue = pullOf(call, repository);
    requestReviewers(
      call.world,
      repository,
      call.actor.account,
      issue,
      optionalTexts(call.body, "reviewers") ?? [],
    );
    return created(renderPullSimple(call.world, repository, issue));
  }),
];

function listPulls(call: Call, repository: Repository): PullRequest[] {
  const state = call.query.get("state") ?? "open";
  const head = call.query.get("head");
  const base = call.query.get("base");
  const owner = repository.owner.login;
  const pulls = [...repository.issues.values()].flatMap((issue) => asPull(issue) ?? []);
  return sorted(
    call,
    pulls.filter(
      (issue) =>
        (state === "all" || issue.state === state) &&
        // GitHub ignores a head without an owner.
        (head === null ||
          !head.includes(":") ||
          head.toLowerCase() ===
            `${issue.pull.fork?.owner.login ?? owner}:${issue.pull.headRef}`.toLowerCase()) &&
        (base === null || base === issue.pull.baseRef),
    ),
  );
}

async function open(call: Call, repository: Repository): Promise<Answer> {
  const { body, world } = call;
  const issue = await openPull(world, repository, {
    author: call.actor.account,
    viaApp: viaApp(call),
    title: requiredText(body, "title"),
    body: optionalText(body, "body") ?? null,
    head: requiredText(body, "head"),
    base: requiredText(body, "base"),
    draft: optionalBoolean(body, "draft") ?? false,
  });
  return created(renderPull(world, repository, issue, notComputed));
}

async function change(call: Call, repository: Repository): Promise<Answer> {
  const { body, world } = call;
  const issue = pullOf(call, repository);
  const sender = call.actor.account;
  demandAuthorOr(call, repository, issue.author, "write");
  const title = body["title"] === undefined ? undefined : requiredText(body, "title");
  const text = optionalText(body, "body");
  const base = optionalText(body, "base");
  const state = optionalChoice(body, "state", ["open", "closed"]);
  const more = typeof base === "string" ? await changeBase(repository, issue, base) : {};
  editIssue(world, repository, sender, issue, { title, body: text }, more);
  if (state === "closed") closeIssue(world, repository, sender, issue);
  if (state === "open") reopenIssue(world, repository, sender, issue);
  return ok(renderPull(world, repository, issue, await readMergeability(repository, issue)));
}

async function diffOf(repository: Repository, issue: PullRequest): Promise<Answer> {
  const { pull } = issue;
  const files = await readDiff(repository.directory, pull.mergeBaseSha, pull.headSha);
  const text = files
    .map(({ path, previousPath, patch }) => `--- a/${previousPath ?? path}\n+++ b/${path}\n${patch ?? ""}\n`)
    .join("");
  return { status: 200, text, headers: { "content-type": "application/vnd.github.diff; charset=utf-8" } };
}
