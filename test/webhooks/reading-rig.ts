import { NO_ATTRIBUTES } from "../../src/domain/agents/agent-attributes.ts";
import type { Role } from "../../src/domain/agents/role.ts";
import type { Account } from "../../src/domain/events/account.ts";
import type { Permission } from "../../src/domain/ports/github.ts";
import type { GitHubPullRequest } from "../../src/domain/ports/github-changes.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { EVENTS, type EventName } from "../../src/webhooks/events/table.ts";
import { rolesOf, someSettings } from "../factories/some-settings.ts";
import { createFakeGitHub } from "../fakes/github.ts";
import { BOT, person } from "../fakes/github-world.ts";
import { noFile } from "../fakes/no-file.ts";
import { createMemoryLog } from "./memory-log.ts";
import { stoppedClock } from "./stopped-clock.ts";

export { BOT, person };

const REPOSITORY = { id: 77, owner: "octo", name: "shop", installationId: 5 };
export const WRITER = person("wendy");
export const READER = person("rita");
export const OTHER_BOT: Account = { id: 9_001, login: "renovate[bot]", type: "Bot" };
export const LISTED_BOT: Account = { id: 9_002, login: "helper[bot]", type: "Bot" };

type Policy = Settings["policy"];

/** Webhooks of one repository in a small world; what readers look up is counted. */
export function createReadingRig(options: { policy?: Partial<Policy>; repositories?: string[] } = {}) {
  const clock = stoppedClock();
  const log = createMemoryLog();
  const github = createFakeGitHub({ clock, labels: {} });
  const world = github.add(REPOSITORY);
  world.permissions.set("wendy", "write").set("rita", "read");
  const asked: string[] = [];
  const told = new Set<string>();
  const settings = settingsWith(options);
  const tools = {
    settings,
    ownSettings: noFile(settings),
    github: {
      ...github,
      permission: (...args: Parameters<typeof github.permission>): Promise<Permission> => {
        asked.push(`permission ${args[1].login}`);
        return github.permission(...args);
      },
      reviews: async (...[, number]: Parameters<typeof github.reviews>) => world.reviews.get(number) ?? [],
      pullRequests: (...args: Parameters<typeof github.pullRequests>) => {
        asked.push(`pulls ${args[1].head ?? "open"}`);
        return github.pullRequests(...args);
      },
    },
    repositories: { get: async (id: number) => (id === 78 ? { ...rowOf(), id: 78 } : undefined) },
    deliveries: { known: async (guids: readonly string[]) => new Set(guids.filter((one) => told.has(one))) },
    identity: { slug: "flotilla", appId: 12, botLogin: BOT.login, botId: BOT.id },
    clock,
    log,
  };
  return {
    tools,
    /** Ids of deliveries in the inbox. */
    told,
    world,
    github,
    log,
    asked,
    now: clock.now(),
    read: (name: EventName, payload: object, id = "d-1") => EVENTS[name]({ id, payload }, tools),
    addPull(fields: Partial<GitHubPullRequest> & { number: number }): void {
      world.pulls.set(fields.number, pull(fields));
    },
  };
}

export function rowOf() {
  return { ...REPOSITORY, private: true, defaultBranch: "main" };
}

/** What stands around every payload. */
export function envelope(sender: Account, fields: object = {}): object {
  return {
    sender,
    installation: { id: 5 },
    repository: {
      id: 77,
      name: "shop",
      full_name: "octo/shop",
      owner: { login: "octo" },
      private: true,
      default_branch: "main",
    },
    ...fields,
  };
}

export function rawIssue(fields: object = {}) {
  return {
    number: 7,
    title: "Broken",
    body: null,
    state: "open",
    labels: [{ name: "bug" }],
    assignees: [],
    user: WRITER,
    html_url: "https://github.test/octo/shop/issues/7",
    ...fields,
  };
}

export const ISSUE = {
  number: 7,
  title: "Broken",
  body: "",
  state: "open",
  stateReason: null,
  labels: ["bug"],
  assignees: [],
  author: WRITER,
  locked: false,
  url: "https://github.test/octo/shop/issues/7",
};

export function rawPull(fields: object = {}) {
  return {
    number: 21,
    merged: false,
    merge_commit_sha: "abc",
    head: { ref: "flotilla/bug-fix/issue-7", repo: { id: 77 } },
    ...fields,
  };
}

function pull(fields: Partial<GitHubPullRequest> & { number: number }): GitHubPullRequest {
  return {
    title: "A change",
    body: "",
    state: "open",
    merged: false,
    draft: false,
    author: WRITER,
    headRef: "topic",
    headSha: `sha-${fields.number}`,
    headRepository: "octo/shop",
    baseRef: "main",
    url: `https://github.test/octo/shop/pull/${fields.number}`,
    createdAt: "2026-01-01T12:00:00Z",
    asked: [],
    ...fields,
  };
}

function settingsWith(options: { policy?: Partial<Policy>; repositories?: string[] }): Settings {
  return someSettings({
    repositories: options.repositories ?? ["octo/*"],
    roles: rolesOf(
      role("triage", "outputs", { event: "issues.opened" }),
      role("bug-fix", "code", { event: "issues.labeled", label: "bug" }),
      role("feat-dev", "code", { event: "issues.labeled", label: "feature" }),
      role("sorter", "outputs", { event: "issues.labeled", label: "sort" }),
    ),
    policy: { ...someSettings().policy, bots: [LISTED_BOT.id], ...options.policy },
  });
}

function role(name: string, evidence: Role["evidence"], trigger: Role["triggers"][number]): Role {
  return {
    name,
    description: name,
    emoji: "",
    runtime: undefined,
    model: undefined,
    otherModels: [],
    temperature: undefined,
    lifecycle: "persistent",
    evidence,
    checkout: undefined,
    singleton: false,
    planFirst: false,
    triggers: [trigger],
    capabilities: [],
    tools: [],
    mcpTools: [],
    skills: [],
    prompt: "",
    limits: {},
    attributes: NO_ATTRIBUTES,
  };
}
