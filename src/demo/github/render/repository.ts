import type { Repository } from "../world/records.ts";
import { fullNameOf, nodeId, type World } from "../world/world.ts";
import { renderAccount } from "./account.ts";

/** Renders a repository in the long form, which is valid wherever GitHub shows one. */
export function renderRepository(world: World, repository: Repository): Record<string, unknown> {
  const name = fullNameOf(repository);
  const url = `${world.api}/repos/${name}`;
  const page = `${world.origin}/${name}`;
  const openIssues = [...repository.issues.values()].filter((issue) => issue.state === "open").length;
  return {
    id: repository.id,
    node_id: nodeId("Repository", repository.id),
    name: repository.name,
    full_name: name,
    private: repository.private,
    owner: renderAccount(world, repository.owner),
    html_url: page,
    description: null,
    fork: false,
    url,
    ...urlsOf(url, page),
    ssh_url: `git@${new URL(world.origin).hostname}:${name}.git`,
    git_url: `git://${new URL(world.origin).host}/${name}.git`,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    size: 1,
    created_at: repository.createdAt,
    updated_at: repository.pushedAt,
    pushed_at: repository.pushedAt,
    default_branch: repository.defaultBranch,
    visibility: repository.private ? "private" : "public",
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: openIssues,
    open_issues_count: openIssues,
    is_template: false,
    topics: [],
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: false,
    has_discussions: false,
    archived: repository.archived,
    disabled: false,
    allow_forking: false,
    web_commit_signoff_required: false,
  };
}

/** Renders the answer of `GET /repos/{owner}/{repo}`: adds the settings and counts that only this route shows. */
export function renderFullRepository(world: World, repository: Repository): Record<string, unknown> {
  return {
    ...renderRepository(world, repository),
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    network_count: 0,
    subscribers_count: 0,
    organization: renderAccount(world, repository.owner),
  };
}

function urlsOf(url: string, page: string): Record<string, string> {
  return {
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
    clone_url: `${page}.git`,
    svn_url: page,
  };
}
