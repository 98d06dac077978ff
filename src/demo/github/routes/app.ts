import type { Grant, Tokens } from "../auth/tokens.ts";
import { ApiError, created, noContent, notFound, ok } from "../http/answer.ts";
import { isObject, type JsonObject, optionalTexts } from "../http/fields.ts";
import { paged, pagedWithCount } from "../http/paging.ts";
import type { Call, Route } from "../http/route.ts";
import { renderApp, renderInstallation, renderInstallationToken } from "../render/app.ts";
import { renderRepository } from "../render/repository.ts";
import type { Repository } from "../world/records.ts";
import type { World } from "../world/world.ts";

const hourMs = 3600 * 1000;

/** Creates the App's own routes: its identity, its installations, and its tokens. */
export function appRoutes(tokens: Tokens): Route[] {
  return [
    {
      operation: "GET /app",
      kind: "app",
      handle: ({ world }) => ok({ ...renderApp(world), installations_count: 1 }),
    },
    {
      operation: "GET /app/installations",
      kind: "app",
      handle: (call) => paged(call, [call.world], renderInstallation),
    },
    {
      operation: "GET /app/installations/{installation_id}",
      kind: "app",
      handle: (call) => {
        demandInstallation(call);
        return ok(renderInstallation(call.world));
      },
    },
    {
      operation: "POST /app/installations/{installation_id}/access_tokens",
      kind: "app",
      handle: (call) => {
        demandInstallation(call);
        const grant = narrow(call.world, call.body);
        return created(renderInstallationToken(call.world, tokens.add(grant), grant));
      },
    },
    {
      operation: "GET /orgs/{org}/installation",
      kind: "app",
      handle: ({ world, params }) => {
        if (params["org"]?.toLowerCase() !== world.organization.login.toLowerCase()) throw notFound();
        return ok(renderInstallation(world));
      },
    },
    {
      operation: "GET /installation/repositories",
      kind: "installation",
      handle: (call) => {
        const { actor } = call;
        const seen = [...call.world.repositories.values()].filter(
          ({ id }) => actor.kind === "installation" && actor.repositories.has(id),
        );
        const render = (repository: Repository): unknown => renderRepository(call.world, repository);
        return pagedWithCount(call, "repositories", seen, render, { repository_selection: "selected" });
      },
    },
    {
      operation: "DELETE /installation/token",
      kind: "installation",
      handle: (call) => {
        tokens.revoke(call.token);
        return noContent;
      },
    },
    { operation: "GET /repos/{owner}/{repo}/installation", kind: "app", handle: repositoryInstallation },
  ];
}

function demandInstallation(call: Call): void {
  if (Number(call.params["installation_id"]) !== call.world.installation.id) throw notFound();
}

function repositoryInstallation({ world, params }: Call): ReturnType<typeof ok> {
  const repository = world.repositories.get(`${params["owner"]}/${params["repo"]}`.toLowerCase());
  if (repository === undefined || !world.installation.repositories.has(repository.id)) throw notFound();
  return ok(renderInstallation(world));
}

/** Returns the permissions and repositories that the body asks for; they may not exceed the App's own. */
function narrow(world: World, body: JsonObject): Extract<Grant, { kind: "installation" }> {
  const covered = [...world.repositories.values()].filter(({ id }) =>
    world.installation.repositories.has(id),
  );
  const ids = body["repository_ids"];
  const names = optionalTexts(body, "repositories");
  let repositories = covered;
  if (Array.isArray(ids) || names !== undefined) {
    const wantedIds = Array.isArray(ids) ? ids : [];
    repositories = covered.filter(({ id, name }) => wantedIds.includes(id) || names?.includes(name));
    if (repositories.length < Math.max(wantedIds.length, names?.length ?? 0)) {
      throw new ApiError(
        422,
        "There is at least one repository that does not exist or is not accessible to the parent installation.",
      );
    }
  }
  return {
    kind: "installation",
    repositories: new Set(repositories.map(({ id }) => id)),
    permissions: narrowPermissions(world, body["permissions"]),
    expiresAt: world.nowMs() + hourMs,
  };
}

function narrowPermissions(world: World, wanted: unknown): Readonly<Record<string, "read" | "write">> {
  const held = world.app.permissions;
  if (wanted === undefined) return held;
  if (!isObject(wanted))
    throw new ApiError(422, "Invalid request.\n\nFor 'properties/permissions', the value is not an object.");
  const narrowed: Record<string, "read" | "write"> = { metadata: "read" };
  for (const [name, level] of Object.entries(wanted)) {
    const within =
      level === "read" || level === "write" ? held[name] === "write" || held[name] === level : false;
    if (!within) throw new ApiError(422, "The permissions requested are not granted to this installation.");
    narrowed[name] = level === "write" ? "write" : "read";
  }
  return narrowed;
}
