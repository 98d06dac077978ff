import type { Grant } from "../auth/tokens.ts";
import { isoSeconds, nodeId, type World } from "../world/world.ts";
import { renderAccount } from "./account.ts";
import { renderRepository } from "./repository.ts";

/** Events that exist but that GitHub's webhook schemas do not allow in an App's list yet. */
const unlisted = new Set(["sub_issues", "issue_dependencies"]);

/** Renders an `integration`: the App. */
export function renderApp(world: World): Record<string, unknown> {
  const { app } = world;
  return {
    id: app.id,
    slug: app.slug,
    client_id: app.clientId,
    node_id: nodeId("App", app.id),
    owner: renderAccount(world, world.organization),
    name: app.name,
    description: "",
    external_url: world.origin,
    html_url: `${world.origin}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: app.events,
  };
}

/** Renders the App as author of an object (`performed_via_github_app`); null if the App is not its author. */
export function renderViaApp(world: World, viaApp: boolean): Record<string, unknown> | null {
  if (!viaApp) return null;
  return { ...renderApp(world), events: world.app.events.filter((event) => !unlisted.has(event)) };
}

export function renderInstallation(world: World): Record<string, unknown> {
  const { app, installation } = world;
  return {
    id: installation.id,
    account: renderAccount(world, installation.account),
    repository_selection: "selected",
    access_tokens_url: `${world.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${world.api}/installation/repositories`,
    html_url: `${world.origin}/organizations/${installation.account.login}/settings/installations/${installation.id}`,
    app_id: app.id,
    client_id: app.clientId,
    app_slug: app.slug,
    target_id: installation.account.id,
    target_type: "Organization",
    permissions: app.permissions,
    events: app.events,
    created_at: installation.createdAt,
    updated_at: installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt === null ? null : renderAccount(world, installation.account),
    suspended_at: installation.suspendedAt,
  };
}

export function renderInstallationToken(
  world: World,
  token: string,
  grant: Extract<Grant, { kind: "installation" }>,
): Record<string, unknown> {
  const repositories = [...world.repositories.values()].filter(({ id }) => grant.repositories.has(id));
  return {
    token,
    expires_at: isoSeconds(grant.expiresAt),
    permissions: grant.permissions,
    repository_selection: "selected",
    repositories: repositories.map((repository) => renderRepository(world, repository)),
  };
}
