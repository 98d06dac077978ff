import { readCommit, readCommits } from "../git/read-commits.ts";
import { readDiff } from "../git/read-diff.ts";
import { mergeBase, readRef, readRefs, resolveCommit } from "../git/refs.ts";
import { type Answer, ApiError, notFound, ok } from "../http/answer.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderCommit, renderFile } from "../render/commit.ts";
import { renderRules } from "../render/rules.ts";
import type { Repository } from "../world/records.ts";
import { fullNameOf } from "../world/world.ts";

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Routes of branches, commits, and comparisons of two commits. */
export const commitRoutes: Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/branches", "contents:read", async (call, repository) => {
    const prefix = "refs/heads/";
    const branches = [...(await readRefs(repository.directory))].filter(([ref]) => ref.startsWith(prefix));
    return paged(call, branches, ([ref, sha]) => ({
      name: ref.slice(prefix.length),
      commit: { sha, url: `${call.world.api}/repos/${fullNameOf(repository)}/commits/${sha}` },
      protected: false,
    }));
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/branches/{branch}", "contents:read", branch),
  repositoryRoute("GET /repos/{owner}/{repo}/rules/branches/{branch}", "metadata:read", (call, repository) =>
    paged(call, renderRules(repository, call.params["branch"] ?? ""), (rule) => rule),
  ),
  repositoryRoute("GET /repos/{owner}/{repo}/commits", "contents:read", async (call, repository) => {
    const from = call.query.get("sha") ?? repository.defaultBranch;
    const sha = await resolveCommit(repository.directory, from);
    if (sha === undefined) throw notFound();
    const commits = await readCommits(repository.directory, [sha]);
    return paged(call, commits, (commit) => renderCommit(call.world, repository, commit));
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/commits/{ref}", "contents:read", async (call, repository) => {
    const ref = call.params["ref"] ?? "";
    const sha = await resolveCommit(repository.directory, ref);
    if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${ref}`);
    const commit = await readCommit(repository.directory, sha);
    const files = await readDiff(repository.directory, commit.parents[0] ?? emptyTree, sha);
    return ok(renderCommit(call.world, repository, commit, files));
  }),
  repositoryRoute("GET /repos/{owner}/{repo}/compare/{basehead}", "contents:read", compare),
];

async function branch(call: Call, repository: Repository): Promise<Answer> {
  const name = call.params["branch"] ?? "";
  const sha = await readRef(repository.directory, `refs/heads/${name}`);
  if (sha === undefined) throw new ApiError(404, "Branch not found");
  const self = `${call.world.api}/repos/${fullNameOf(repository)}/branches/${encodeURIComponent(name)}`;
  const commit = renderCommit(call.world, repository, await readCommit(repository.directory, sha));
  return ok({
    name,
    commit,
    _links: { self, html: `${call.world.origin}/${fullNameOf(repository)}/tree/${name}` },
    protected: false,
    protection: {
      enabled: false,
      required_status_checks: { enforcement_level: "off", contexts: [], checks: [] },
    },
    protection_url: `${self}/protection`,
  });
}

function withoutOwner(name: string): string {
  return name.replace(/^[\w-]+:/, "");
}

async function compare(call: Call, repository: Repository): Promise<Answer> {
  const { directory } = repository;
  const basehead = call.params["basehead"] ?? "";
  const [baseName = "", headName = ""] = basehead.split("...").map(withoutOwner);
  const [base, head] = await Promise.all([
    resolveCommit(directory, baseName),
    resolveCommit(directory, headName),
  ]);
  const common = base && head && (await mergeBase(directory, base, head));
  if (!base || !head || !common) throw notFound();
  const [ahead, behind, files] = await Promise.all([
    readCommits(directory, [`${base}..${head}`]),
    readCommits(directory, [`${head}..${base}`]),
    readDiff(directory, common, head),
  ]);
  const status =
    ahead.length > 0
      ? behind.length > 0
        ? "diverged"
        : "ahead"
      : behind.length > 0
        ? "behind"
        : "identical";
  const page = `${call.world.origin}/${fullNameOf(repository)}/compare/${basehead}`;
  const show = async (sha: string): Promise<unknown> =>
    renderCommit(call.world, repository, await readCommit(directory, sha));
  return ok({
    url: `${call.world.api}${call.path}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: await show(base),
    merge_base_commit: await show(common),
    status,
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: ahead.toReversed().map((commit) => renderCommit(call.world, repository, commit)),
    files: files.map((file) => renderFile(call.world, repository, file, head)),
  });
}
