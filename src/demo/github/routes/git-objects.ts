import { isObjectOf, makeCommit, makeTree, type NewEntry } from "../git/objects.ts";
import { readCommit } from "../git/read-commits.ts";
import { git } from "../git/run.ts";
import { signCommit } from "../git/signatures.ts";
import { GITHUB_COMMITTER } from "../git/write-files.ts";
import { type Answer, ApiError, created } from "../http/answer.ts";
import { isObject, optionalText, optionalTexts, requiredText } from "../http/fields.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderCommit } from "../render/commit.ts";
import type { Repository } from "../world/records.ts";
import { fullNameOf } from "../world/world.ts";
import { viaApp } from "./find.ts";

/** Routes of trees and commits that no ref leads to yet. */
export const gitObjectRoutes: Route[] = [
  repositoryRoute("POST /repos/{owner}/{repo}/git/trees", "contents:write", createTree),
  repositoryRoute("POST /repos/{owner}/{repo}/git/commits", "contents:write", createCommit),
];

async function createTree(call: Call, repository: Repository): Promise<Answer> {
  const { directory } = repository;
  const base = optionalText(call.body, "base_tree") ?? undefined;
  if (base !== undefined && !(await isObjectOf(directory, base, "tree")))
    throw new ApiError(404, "base_tree is not a tree");
  const wanted = call.body["tree"];
  if (!Array.isArray(wanted)) throw new ApiError(422, `Invalid request.\n\n"tree" wasn't supplied.`);
  const entries = await Promise.all(wanted.map((entry: unknown) => entryOf(directory, entry)));
  const sha = await makeTree(directory, base, entries);
  return created({
    sha,
    url: treeUrl(call, repository, sha),
    tree: await list(call, repository, sha),
    truncated: false,
  });
}

async function entryOf(directory: string, entry: unknown): Promise<NewEntry> {
  if (!isObject(entry)) throw new ApiError(422, "Invalid tree info");
  const path = requiredText(entry, "path");
  const mode = requiredText(entry, "mode");
  const content = optionalText(entry, "content");
  if (typeof content === "string") return { path, mode, content };
  const sha = requiredText(entry, "sha");
  if (!(await isObjectOf(directory, sha, "blob"))) throw new ApiError(422, "tree.sha is not a valid blob");
  return { path, mode, content: { sha } };
}

async function createCommit(call: Call, repository: Repository): Promise<Answer> {
  const { world } = call;
  const { directory } = repository;
  const message = requiredText(call.body, "message");
  const tree = requiredText(call.body, "tree");
  const parents = optionalTexts(call.body, "parents") ?? [];
  if (!(await isObjectOf(directory, tree, "tree"))) throw new ApiError(422, "Tree SHA does not exist");
  for (const parent of parents)
    if (!(await isObjectOf(directory, parent, "commit")))
      throw new ApiError(422, "Parent SHA does not exist");
  const sha = await madeBy(call, directory, { tree, parents, message });
  const rendered = renderCommit(world, repository, await readCommit(directory, sha));
  const { commit, node_id, html_url, parents: rendersOf } = rendered;
  const { author, committer, verification } = isObject(commit) ? commit : {};
  return created({
    sha,
    node_id,
    url: `${world.api}/repos/${fullNameOf(repository)}/git/commits/${sha}`,
    html_url,
    author,
    committer,
    tree: { sha: tree, url: treeUrl(call, repository, tree) },
    message,
    parents: rendersOf,
    verification,
  });
}

/**
 * Makes the commit. GitHub signs what an App makes without naming anybody; what names an author or a committer is as
 * unsigned as it came.
 */
async function madeBy(
  call: Call,
  directory: string,
  commit: { readonly tree: string; readonly parents: readonly string[]; readonly message: string },
): Promise<string> {
  const at = call.world.nowMs();
  const { name, email } = call.actor.account;
  const named = { ...namedIn(call.body, "author"), ...namedIn(call.body, "committer") };
  const signs = viaApp(call) && Object.keys(named).length === 0;
  const author = { name, email, at, ...named.author };
  const committer = signs ? { ...GITHUB_COMMITTER, at } : { ...author, ...named.committer };
  const unsigned = await makeCommit(directory, { ...commit, author, committer });
  return signs ? await signCommit(directory, unsigned) : unsigned;
}

interface Named {
  readonly author?: { readonly name: string; readonly email: string };
  readonly committer?: { readonly name: string; readonly email: string };
}

/** Returns the author or committer that the request names, if it does. */
function namedIn(body: Readonly<Record<string, unknown>>, field: "author" | "committer"): Named {
  const named = body[field];
  if (!isObject(named)) return {};
  return { [field]: { name: requiredText(named, "name"), email: requiredText(named, "email") } };
}

function treeUrl({ world }: Call, repository: Repository, sha: string): string {
  return `${world.api}/repos/${fullNameOf(repository)}/git/trees/${sha}`;
}

async function list(
  call: Call,
  repository: Repository,
  sha: string,
): Promise<readonly Record<string, unknown>[]> {
  const text = await git(repository.directory, ["ls-tree", "-z", "-l", sha]);
  return text.split("\0").flatMap((line) => {
    const [, mode, type, id = "", size = "", path] = /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
    if (path === undefined) return [];
    const url = `${call.world.api}/repos/${fullNameOf(repository)}/git/${type}s/${id}`;
    return [{ path, mode, type, sha: id, ...(size === "-" ? {} : { size: Number(size) }), url }];
  });
}
