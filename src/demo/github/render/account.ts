import type { Account } from "../world/records.ts";
import { nodeId, type World } from "../world/world.ts";

/** Renders a `simple-user`: an account inside other objects. */
export function renderAccount(world: World, account: Account): Record<string, unknown> {
  const url = `${world.api}/users/${encodeURIComponent(account.login)}`;
  const page = account.type === "Bot" ? `apps/${account.login.replace("[bot]", "")}` : account.login;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: `${world.origin}/avatars/u/${account.id}`,
    gravatar_id: "",
    url,
    html_url: `${world.origin}/${page}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  };
}

export function renderAccountOrNull(world: World, account: Account | null): Record<string, unknown> | null {
  return account === null ? null : renderAccount(world, account);
}

/** Renders a `public-user`: the profile. */
export function renderProfile(world: World, account: Account): Record<string, unknown> {
  return {
    ...renderAccount(world, account),
    name: account.name,
    company: null,
    blog: "",
    location: null,
    email: account.type === "User" ? account.email : null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: account.createdAt,
    updated_at: account.createdAt,
  };
}

/** Renders an `organization-simple`: the organization in a webhook. */
export function renderOrganization(world: World): Record<string, unknown> {
  const { login, id } = world.organization;
  const url = `${world.api}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId("Organization", id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.origin}/avatars/u/${id}`,
    description: null,
  };
}
