import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { bundledFile } from "../../domain/settings/bundled-file.ts";
import { NO_RULES } from "./acts/rules.ts";
import { ownAppKey } from "./auth/app-key.ts";
import { git } from "./git/run.ts";
import { createBareRepository, type FileChanges, serveAsGitHub } from "./git/write-files.ts";
import type { Account, App, Installation, Repository, Role } from "./world/records.ts";
import { type Happening, isoSeconds, type World } from "./world/world.ts";

export interface RepositoryOptions {
  readonly name: string;
  /** Default: true. */
  readonly private?: boolean;
  /** False leaves the repository out of the App's installation. */
  readonly installed?: boolean;
  /** Files of the first commit on main, by path. */
  readonly files?: FileChanges;
  readonly labels?: readonly string[];
  /** A bare repository that is there, to be used in place of a new one with `files`; its HEAD names the default branch. */
  readonly directory?: string;
  /** The number of its first issue or pull request. Default: 1. */
  readonly firstNumber?: number;
}

export interface AppOptions {
  readonly permissions?: App["permissions"];
  /** Events that the App subscribes to. Default: all that the local GitHub knows. */
  readonly events?: readonly string[];
}

const manifestSchema = z.object({
  default_events: z.array(z.string()),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
});

/** Returns the settings of `app.yml`, and those with which tests see what else GitHub can send and allow. */
function appSettings(): Pick<App, "permissions" | "events"> {
  const text = readFileSync(bundledFile("../../../app.yml", import.meta.url), "utf8");
  const { default_events, default_permissions } = manifestSchema.parse(parse(text));
  return {
    permissions: { ...default_permissions, administration: "write", statuses: "write" },
    events: [...default_events, "label", "create", "delete"],
  };
}

/** Sets up the organization, the App with its bot and installation, and the repositories with their first commit. */
export async function createWorld(options: {
  origin: string;
  directory: string;
  organization: string;
  repositories: readonly RepositoryOptions[];
  app: AppOptions;
  nowMs: () => number;
  emit: (happening: Happening) => void;
}): Promise<World> {
  const { origin, nowMs } = options;
  let last = 1000;
  const nextId = (): number => (last += 1);
  const createdAt = isoSeconds(nowMs());
  const account = (login: string, type: Account["type"]): Account =>
    makeAccount(nextId(), login, type, createdAt);
  const organization = account(options.organization, "Organization");
  const bot = account("flotilla[bot]", "Bot");
  const app: App = {
    id: nextId(),
    slug: "flotilla",
    name: "Flotilla",
    clientId: `Iv1.${nextId().toString(16).padStart(16, "0")}`,
    clientSecret: randomBytes(20).toString("hex"),
    callbackUrls: [],
    ...ownAppKey(),
    bot,
    ...appSettings(),
    ...options.app,
    createdAt,
    hook: { id: nextId(), url: "", secret: "" },
  };
  const installation: Installation = {
    id: nextId(),
    account: organization,
    createdAt,
    suspendedAt: null,
    repositories: new Set(),
  };
  const world: World = {
    origin,
    api: `${origin}/api/v3`,
    app,
    installation,
    organization,
    accounts: new Map([organization, bot].map((entry) => [entry.login.toLowerCase(), entry])),
    repositories: new Map(),
    attachments: new Map(),
    renamed: new Map(),
    nextId,
    nowMs,
    emit: options.emit,
  };
  for (const wanted of options.repositories) {
    const repository = await createRepository(world, options.directory, wanted);
    if (wanted.installed !== false) installation.repositories.add(repository.id);
  }
  return world;
}

function makeAccount(id: number, login: string, type: Account["type"], createdAt: string): Account {
  const email = `${id}+${login}@users.noreply.github.com`;
  return { id, login, type, name: login, email, createdAt };
}

/** Returns the person with that login; adds a person without a role if there is none. */
export function ensurePerson(world: World, login: string): Account {
  const known = world.accounts.get(login.toLowerCase());
  if (known !== undefined) return known;
  const type = login.endsWith("[bot]") ? "Bot" : "User";
  const account = makeAccount(world.nextId(), login, type, isoSeconds(world.nowMs()));
  world.accounts.set(login.toLowerCase(), account);
  return account;
}

async function createRepository(world: World, root: string, wanted: RepositoryOptions): Promise<Repository> {
  const owner = world.organization;
  const directory = wanted.directory ?? join(root, owner.login, `${wanted.name}.git`);
  if (wanted.directory === undefined) {
    const author = { name: owner.login, email: owner.email, at: world.nowMs() };
    const files = wanted.files ?? { "README.md": `# ${wanted.name}\n` };
    await createBareRepository(directory, { message: "Initial commit", author, files });
  } else {
    await serveAsGitHub(directory);
  }
  const at = isoSeconds(world.nowMs());
  const repository: Repository = {
    id: world.nextId(),
    owner,
    name: wanted.name,
    private: wanted.private ?? true,
    archived: false,
    defaultBranch: await git(directory, ["symbolic-ref", "--short", "HEAD"]),
    createdAt: at,
    pushedAt: at,
    directory,
    roles: new Map<string, Role>(),
    labels: (wanted.labels ?? []).map((name) => ({
      id: world.nextId(),
      name,
      color: "ededed",
      description: null,
    })),
    milestones: [],
    issues: new Map(),
    comments: new Map(),
    checkRuns: [],
    rules: NO_RULES,
    queue: [],
    heldCommits: new Set(),
    statuses: [],
    nextNumber: wanted.firstNumber ?? 1,
  };
  world.repositories.set(`${owner.login}/${wanted.name}`.toLowerCase(), repository);
  return repository;
}
