import { afterPush } from "../acts/pushed.ts";
import { demandSigned } from "../acts/rules.ts";
import { isAncestor, isRefName, readRef, readRefs, updateRef, zeroSha } from "../git/refs.ts";
import { gitBytes } from "../git/run.ts";
import { type Answer, ApiError, created, noContent, notFound, ok } from "../http/answer.ts";
import { optionalBoolean, requiredText } from "../http/fields.ts";
import { paged } from "../http/paging.ts";
import { type Call, type Route, repositoryRoute } from "../http/route.ts";
import type { Repository } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";

const refs = "/repos/{owner}/{repo}/git/refs";

/** Routes of git refs, by their full name without `refs/`. */
export const refRoutes: Route[] = [
  repositoryRoute("GET /repos/{owner}/{repo}/git/ref/{ref}", "contents:read", async (call, repository) => {
    const { ref, sha } = await known(call, repository, 404);
    return ok(await render(call.world, repository, ref, sha));
  }),
  repositoryRoute(
    "GET /repos/{owner}/{repo}/git/matching-refs/{ref}",
    "contents:read",
    async (call, repository) => {
      const start = `refs/${call.params["ref"] ?? ""}`;
      const found = [...(await readRefs(repository.directory))].filter(([ref]) => ref.startsWith(start));
      const rendered = await Promise.all(
        found.map(async ([ref, sha]) => await render(call.world, repository, ref, sha)),
      );
      return paged(call, rendered, (entry) => entry);
    },
  ),
  repositoryRoute(`POST ${refs}`, "contents:write", create),
  repositoryRoute(`PATCH ${refs}/{ref}`, "contents:write", move),
  repositoryRoute(`DELETE ${refs}/{ref}`, "contents:write", async (call, repository) => {
    const { ref, sha } = await known(call, repository, 422);
    await updateRef(repository.directory, ref, zeroSha, sha);
    await afterPush(call.world, repository, call.actor.account, [{ ref, before: sha, after: zeroSha }]);
    return noContent;
  }),
];

async function known(
  call: Call,
  repository: Repository,
  missing: 404 | 422,
): Promise<{ ref: string; sha: string }> {
  const ref = `refs/${call.params["ref"] ?? ""}`;
  const sha = await readRef(repository.directory, ref);
  if (sha === undefined) throw missing === 404 ? notFound() : new ApiError(422, "Reference does not exist");
  return { ref, sha };
}

async function create(call: Call, repository: Repository): Promise<Answer> {
  const { directory } = repository;
  const ref = requiredText(call.body, "ref");
  const sha = requiredText(call.body, "sha");
  if (!/^refs\/.+\/.+/.test(ref) && !/^refs\/(heads|tags)\/.+/.test(ref)) {
    throw new ApiError(422, "Reference name must start with 'refs/' and have at least two slashes.");
  }
  if (!(await isRefName(directory, ref)) || ref.startsWith("refs/pull/")) {
    throw new ApiError(422, `${ref} is not a valid ref name.`);
  }
  await demandObject(directory, sha);
  if ((await readRef(directory, ref)) !== undefined) throw new ApiError(422, "Reference already exists");
  await demandSigned(repository, ref, sha);
  await updateRef(directory, ref, sha, zeroSha);
  await afterPush(call.world, repository, call.actor.account, [{ ref, before: zeroSha, after: sha }]);
  return created(await render(call.world, repository, ref, sha));
}

async function move(call: Call, repository: Repository): Promise<Answer> {
  const { directory } = repository;
  const { ref, sha: before } = await known(call, repository, 422);
  const sha = requiredText(call.body, "sha");
  await demandObject(directory, sha);
  if (optionalBoolean(call.body, "force") !== true && !(await isAncestor(directory, before, sha))) {
    throw new ApiError(422, "Update is not a fast forward");
  }
  await demandSigned(repository, ref, sha);
  await updateRef(directory, ref, sha, before);
  if (sha !== before)
    await afterPush(call.world, repository, call.actor.account, [{ ref, before, after: sha }]);
  return ok(await render(call.world, repository, ref, sha));
}

async function demandObject(directory: string, sha: string): Promise<void> {
  const isSha = /^[0-9a-f]{40}$/.test(sha);
  if (!isSha || (await gitBytes(directory, ["cat-file", "-e", sha], { accept: [1, 128] })).code !== 0) {
    throw new ApiError(422, "Object does not exist");
  }
}

async function render(
  world: World,
  repository: Repository,
  ref: string,
  sha: string,
): Promise<Record<string, unknown>> {
  const api = `${world.api}/repos/${fullNameOf(repository)}/git`;
  const type = (await gitBytes(repository.directory, ["cat-file", "-t", sha])).stdout.toString().trim();
  return {
    ref,
    node_id: nodeId("Ref", `${repository.id}:${ref}`),
    url: `${api}/${ref}`,
    object: { sha, type, url: `${api}/${type}s/${sha}` },
  };
}
