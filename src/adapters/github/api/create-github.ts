import { z } from "zod";
import type { Level } from "../../../domain/access/level.ts";
import type { AtCrashPoint } from "../../../domain/kernel/crash-points.ts";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { ClosedIssues } from "../../../domain/ports/closed-issues.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import type {
  AppSettingsReader,
  AroundRequest,
  AskForToken,
  GitHubLeftovers,
  GitHubLimits,
  GitHubRoom,
  HookDeliveries,
  NodeTokens,
  RepositorySetup,
} from "../../../domain/ports/github-app.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { createAppSettings } from "../app/app-settings.ts";
import { createAppToken } from "../app/app-token.ts";
import { createHookDeliveries } from "../app/hook-deliveries.ts";
import { createIdentity } from "../app/identity.ts";
import { createRepositorySetup } from "../app/repository-setup.ts";
import { createSignedMarker } from "../app/signed-marker.ts";
import { createTokens, noKey } from "../app/tokens.ts";
import { createBudget } from "../client/budget.ts";
import { type Caller, createClient } from "../client/client.ts";
import { TIME_LIMIT_MS } from "../client/guarded-fetch.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { idShape, relatedShape, repositoryShape } from "../client/shapes.ts";
import type { Spent } from "../client/spent.ts";
import { createChecks } from "./checks.ts";
import { createClosedIssues } from "./closed-issues.ts";
import { createComments } from "./comments.ts";
import { createDependencies } from "./dependencies.ts";
import { createGitHubQueue } from "./github-queue.ts";
import { createIssues } from "./issues.ts";
import { createJobs } from "./jobs.ts";
import { createLabels, type OwnLabel } from "./labels.ts";
import { createMerging } from "./merging.ts";
import { createPermission } from "./permission.ts";
import { createPictures } from "./pictures.ts";
import { createProposing } from "./proposing.ts";
import { createPullRequests } from "./pull-requests.ts";
import { contentShape, createRepositoryFiles } from "./repository-files.ts";
import { createSigning } from "./signing.ts";
import { createVerdicts } from "./verdicts.ts";

interface GitHubOptions {
  readonly appId: number;
  /** PEM, as GitHub generated it. Undefined on a machine without it, which asks a controller for tokens. */
  readonly privateKey: string | undefined;
  /** For a machine without the key: how it gets tokens, and who the App is. */
  readonly throughController?:
    | { readonly askForToken: AskForToken; readonly identity: GitHub["identity"] }
    | undefined;
  /** `https://api.github.com`, or `https://host/api/v3` of an Enterprise server. No other server is contacted. */
  readonly baseUrl: string;
  /** Signs the markers. A new secret makes everything written before unrecognizable, so keep it with the data. */
  readonly markerSecret: string;
  /** Labels that we create if they are missing. */
  readonly labels: readonly OwnLabel[];
  /** Returns the level of a repository; no write beyond it is sent. Default: nothing is withheld. */
  readonly level?: (repository: RepositoryRef) => Level;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with each new installation token before it is used, and with its expiry in milliseconds since the epoch. */
  readonly minted: (token: string, until: number) => void;
  /** The requests made before the start. If left out, the limits start full and nothing is stored. */
  readonly spent?: Spent;
  /** Returns how many processes act for the App at the moment; each takes an equal part of GitHub's limits. */
  readonly sharers?: () => number;
  /** Wraps each request. */
  readonly around?: AroundRequest | undefined;
  readonly crashPoint?: AtCrashPoint;
  /** Time limit of a complete answer. Default: ten seconds; only tests change it. */
  readonly timeLimitMs?: number | undefined;
}

/**
 * Implements the ports GitHub, ClosedIssues, HookDeliveries, AppSettingsReader, RepositorySetup and GitHubLimits over REST. Throws
 * `StartupRefused` for an unreadable key. Sends no request before the first call.
 */
export function createGitHub(
  options: GitHubOptions,
): GitHub &
  ClosedIssues &
  HookDeliveries &
  AppSettingsReader &
  RepositorySetup &
  GitHubLimits &
  GitHubRoom &
  GitHubLeftovers &
  NodeTokens {
  const budget = createBudget(options.clock, options.spent ?? { before: [], add: () => {} }, options.sharers);
  const client = createClient({ ...options, budget });
  const app = appCaller(options);
  const { throughController: through } = options;
  const tokens = createTokens({
    client,
    app,
    clock: options.clock,
    minted: options.minted,
    ask: options.privateKey === undefined ? (through?.askForToken ?? refuseToken) : undefined,
  });
  const { level } = options;
  const held = (repository: RepositoryRef, caller: Caller): Caller =>
    level === undefined ? caller : { ...caller, level: level(repository) };
  const room: Room = {
    on: (repository, beside) => client(held(repository, tokens.caller(repository, beside))),
    answering: (repository) => client(held(repository, { ...tokens.caller(repository), forPerson: true })),
    identity: through?.identity ?? createIdentity({ client, app, tokens }),
    marker: createSignedMarker(options.markerSecret),
    clock: options.clock,
  };
  const merger: Room["on"] = (repository) => client(held(repository, tokens.merger(repository)));
  const signing = createSigning(room, (repository) => client(held(repository, tokens.pusher(repository))));
  return {
    identity: room.identity,
    limitWaits: () => budget.waits(),
    noRoomUntil: (id, work) => budget.noRoomUntil(id === null ? null : `installation ${id}`, work),
    limitsLeft: () => budget.left(),
    async repository(repository) {
      return readAnswer(room.on(repository).repos.get(at(repository)), repositoryShape);
    },
    permission: createPermission(room),
    gitToken: (repository) => tokens.git(repository),
    tokenFor: (repository, use) => tokens.forNode(repository, use),
    ...createChecks(room),
    ...createJobs(room),
    ...createIssues(room),
    ...createClosedIssues(room),
    ...createComments(room),
    ...createPictures(room, { baseUrl: options.baseUrl, timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS }),
    ...createLabels(room, options.labels),
    ...createPullRequests(room),
    ...createDependencies(room),
    ...createSubIssues(room),
    ...createGitHubQueue(room, merger),
    ...createMerging(
      room,
      merger,
      async (repository) => void (await tokens.merger(repository).authorization(false)),
    ),
    ...createPullBodies(room),
    ...createProposing(room, (repository) => client(held(repository, tokens.committer(repository)))),
    ...createVerdicts(room),
    ...signing,
    ...createRepositoryLimits(room, signing),
    ...createRepositoryFiles(room),
    ...createHookDeliveries(client, app),
    ...createAppSettings(client, app),
    ...createRepositorySetup(client, { app, tokens }, room),
  };
}

/** Returns the App itself as a caller. Throws `StartupRefused` for an unreadable key. */
function appCaller({ appId, privateKey, clock }: GitHubOptions): Caller {
  if (privateKey === undefined) return { account: "app", authorization: () => Promise.reject(noKey()) };
  const appToken = createAppToken({ appId, privateKey, clock });
  return { account: "app", authorization: async () => `bearer ${appToken()}` };
}

const refuseToken: AskForToken = () => Promise.reject(noKey());

/** Creates the operations that read which files a pull request changes, and write its body. */
function createPullBodies({ on }: Room): Pick<GitHub, "pullRequestFiles" | "setPullRequestBody"> {
  return {
    async pullRequestFiles(repository, number) {
      const files = pages(
        (page) => on(repository).pulls.listFiles({ ...at(repository), pull_number: number, ...page }),
        z.array(z.object({ filename: z.string().min(1) })),
      );
      return Array.fromAsync(files, ({ filename }) => filename);
    },

    async setPullRequestBody(repository, number, body) {
      await on(repository).pulls.update({ ...at(repository), pull_number: number, body });
    },
  };
}

/** Creates the reads of what work may need of a repository: its base branch, and features that Flotilla does not support. */
function createRepositoryLimits(
  { on }: Room,
  { takesOnlySigned }: Pick<GitHub, "takesOnlySigned">,
): Pick<GitHub, "hasBranch" | "repositoryLimits"> {
  /**
   * Returns the text of a file, or undefined if `path` is not a file. A missing path is an error; `absent` handles it.
   */
  async function fileAt(repository: RepositoryRef, ref: string, path: string): Promise<string | undefined> {
    const asked = on(repository).repos.getContent({ ...at(repository), path, ref });
    const found = await readAnswer(asked, contentShape);
    return found.kind === "file" ? found.text : undefined;
  }

  return {
    async hasBranch(repository, branch) {
      try {
        await on(repository).repos.getBranch({ ...at(repository), branch });
        return true;
      } catch (error) {
        if (error instanceof GitHubError && error.code === "not_found") return false;
        throw error;
      }
    },

    async repositoryLimits(repository, branch) {
      const attributes = await absent(fileAt(repository, branch, ".gitattributes"));
      return {
        signatures: await takesOnlySigned(repository, [branch]),
        lfs: /^[^#\n\r\u2028\u2029]*\sfilter=lfs(?:\s|$)/m.test(attributes ?? ""),
        submodules: (await absent(fileAt(repository, branch, ".gitmodules"))) !== undefined,
      };
    },
  };
}

/** Returns undefined if the App lacks the permission, or the server lacks the feature. */
async function absent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Statuses with which a server says that the address does not exist, or that the issue is gone. */
const ABSENT = [404, 405, 410];

/** Creates the operations on sub-issues. */
function createSubIssues({ on }: Room): Pick<GitHub, "subIssues" | "addSubIssue"> {
  /** GitHub refuses a sub-issue that already exists. */
  async function isPart(repository: RepositoryRef, number: number, part: number): Promise<boolean> {
    const asked = on(repository).issues.getParent({ ...at(repository), issue_number: part });
    return (await readAnswer(asked, relatedShape)).number === number;
  }

  return {
    async subIssues(repository, number) {
      const wanted = { ...at(repository), issue_number: number };
      try {
        return await Array.fromAsync(
          pages((page) => on(repository).issues.listSubIssues({ ...wanted, ...page }), z.array(relatedShape)),
        );
      } catch (error) {
        if (!(error instanceof GitHubError) || !ABSENT.includes(error.status)) throw error;
        // The same answer may mean that the issue is gone: then this read throws.
        await on(repository).issues.get(wanted);
        return [];
      }
    },

    async addSubIssue(repository, number, part) {
      const { issues } = on(repository);
      const wanted = { ...at(repository), issue_number: number };
      const child = await readAnswer(issues.get({ ...at(repository), issue_number: part }), idShape);
      try {
        await issues.addSubIssue({ ...wanted, sub_issue_id: child.id });
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        if (error.status === 422 && (await isPart(repository, number, part))) return;
        if (!ABSENT.includes(error.status)) throw error;
        await issues.get(wanted);
        throw new GitHubError("unsupported", "the server keeps no sub-issues", error.status, {
          consequence: "stop",
          advice: "Nothing to do: the issue says in its text of which one it is a part.",
        });
      }
    },
  };
}
