import { afterPush } from "../acts/pushed.ts";
import { readCommit } from "../git/read-commits.ts";
import { readRef, resolveCommit } from "../git/refs.ts";
import { git, gitBytes } from "../git/run.ts";
import { commitFiles } from "../git/write-files.ts";
import { type Answer, ApiError, notFound, ok } from "../http/answer.ts";
import { isObject, optionalText, requiredText } from "../http/fields.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import { renderCommit } from "../render/commit.ts";
import type { Repository } from "../world/records.ts";
import { fullNameOf, type World } from "../world/world.ts";

const path = "/repos/{owner}/{repo}/contents/{path}";

/** Routes of files: reads them as JSON or raw, lists directories, writes single files. */
export const contentRoutes: Route[] = [
  repositoryRoute(`GET ${path}`, "contents:read", read),
  repositoryRoute(`PUT ${path}`, "contents:write", write),
];

interface Entry {
  readonly type: "file" | "dir" | "symlink";
  readonly sha: string;
  readonly size: number;
  readonly path: string;
}

async function listTree(directory: string, args: readonly string[]): Promise<Entry[]> {
  const text = await git(directory, ["ls-tree", "-z", "-l", ...args]);
  return text.split("\0").flatMap((line) => {
    const [, mode, type, sha = "", size = "", name = ""] =
      /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
    if (type === undefined) return [];
    return [
      {
        type: type === "tree" ? "dir" : mode === "120000" ? "symlink" : "file",
        sha,
        size: Number(size) || 0,
        path: name,
      },
    ];
  });
}

async function findEntry(directory: string, commit: string, wanted: string): Promise<Entry | undefined> {
  if (wanted === "") return { type: "dir", sha: commit, size: 0, path: "" };
  const entries = await listTree(directory, [commit, "--", wanted]);
  return entries.find((entry) => entry.path === wanted);
}

async function read(call: Call, repository: Repository): Promise<Answer> {
  const { world, accept } = call;
  const { directory } = repository;
  const wanted = (call.params["path"] ?? "").replace(/\/$/, "");
  const ref = call.query.get("ref") ?? repository.defaultBranch;
  const commit = await resolveCommit(directory, ref);
  if (commit === undefined) throw new ApiError(404, `No commit found for the ref ${ref}`);
  const entry = await findEntry(directory, commit, wanted);
  if (entry === undefined) throw notFound();
  if (entry.type === "dir") {
    const entries = await listTree(directory, wanted === "" ? [commit] : [commit, "--", `${wanted}/`]);
    return ok(entries.map((child) => renderEntry(world, repository, child, ref)));
  }
  const { stdout } = await gitBytes(directory, ["cat-file", "blob", entry.sha]);
  if (/\bapplication\/vnd\.github\.(v3\.)?raw\b/.test(accept)) {
    return {
      status: 200,
      text: stdout,
      headers: { "content-type": "application/vnd.github.raw; charset=utf-8" },
    };
  }
  const content = `${stdout.toString("base64").replace(/(.{60})/g, "$1\n")}\n`;
  return ok({ ...renderEntry(world, repository, entry, ref), content, encoding: "base64" });
}

function renderEntry(
  world: World,
  repository: Repository,
  entry: Entry,
  ref: string,
): Record<string, unknown> {
  const name = fullNameOf(repository);
  const encoded = entry.path.split("/").map(encodeURIComponent).join("/");
  const self = `${world.api}/repos/${name}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const kind = entry.type === "dir" ? "tree" : "blob";
  const gitUrl = `${world.api}/repos/${name}/git/${kind}s/${entry.sha}`;
  const html = `${world.origin}/${name}/${kind}/${ref}/${encoded}`;
  return {
    type: entry.type,
    name: entry.path.split("/").at(-1),
    path: entry.path,
    sha: entry.sha,
    size: entry.size,
    url: self,
    git_url: gitUrl,
    html_url: html,
    download_url: entry.type === "dir" ? null : `${world.origin}/${name}/raw/${ref}/${encoded}`,
    _links: { self, git: gitUrl, html },
  };
}

async function write(call: Call, repository: Repository): Promise<Answer> {
  const { world, body, actor } = call;
  const { directory } = repository;
  const wanted = call.params["path"] ?? "";
  if (wanted === "") throw notFound();
  const message = requiredText(body, "message");
  const content = optionalText(body, "content");
  if (typeof content !== "string") throw new ApiError(422, 'Invalid request.\n\n"content" wasn\'t supplied.');
  const branch = optionalText(body, "branch") ?? repository.defaultBranch;
  const ref = `refs/heads/${branch}`;
  const before = await readRef(directory, ref);
  if (before === undefined) throw new ApiError(404, `Branch ${branch} not found`);
  const old = await findEntry(directory, before, wanted);
  const sha = optionalText(body, "sha");
  if (old !== undefined && sha === undefined)
    throw new ApiError(422, `Invalid request.\n\n"sha" wasn't supplied.`);
  if (old !== undefined && sha !== old.sha) throw new ApiError(409, `${wanted} does not match ${sha ?? ""}`);
  const { name, email } = actor.account;
  const after = await commitFiles(directory, {
    branch,
    parent: before,
    message,
    author: { name, email, at: world.nowMs() },
    files: { [wanted]: Buffer.from(content, "base64") },
  });
  await afterPush(world, repository, actor.account, [{ ref, before, after }]);
  const entry = await findEntry(directory, after, wanted);
  if (entry === undefined) throw new Error(`${wanted} is not in the commit that was just made.`);
  const commit = await readCommit(directory, after);
  const { commit: details, node_id, url, html_url, parents } = renderCommit(world, repository, commit);
  const shared = isObject(details) ? details : {};
  const json = {
    content: renderEntry(world, repository, entry, branch),
    commit: { ...shared, sha: after, node_id, url, html_url, parents },
  };
  return { status: old === undefined ? 201 : 200, json };
}
