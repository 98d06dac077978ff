import type { AtCrashPoint } from "../core/crash-points.ts";
import type { Level } from "../core/level.ts";
import type { AppSettingsReader, RepositorySetup } from "../core/ports/app-settings.ts";
import type { AroundRequest } from "../core/ports/around-request.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { GitHubLeftovers, GitHubLimits } from "../core/ports/github-limits.ts";
import type { HookDeliveries } from "../core/ports/hook-deliveries.ts";
import type { Log } from "../core/ports/log.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { createAppSettings } from "./app-settings.ts";
import { createAppToken } from "./app-token.ts";
import { createBudget } from "./budget.ts";
import { createChecks } from "./checks.ts";
import { type Caller, createClient } from "./client.ts";
import { createComments } from "./comments.ts";
import { createDependencies } from "./dependencies.ts";
import { createHookDeliveries } from "./hook-deliveries.ts";
import { createIdentity } from "./identity.ts";
import { createIssues } from "./issues.ts";
import { createJobs } from "./jobs.ts";
import { createLabels, type OwnLabel } from "./labels.ts";
import { createMerging } from "./merging.ts";
import { createOwnMark } from "./own-mark.ts";
import { at } from "./pages.ts";
import { createPermission } from "./permission.ts";
import { createProposing } from "./proposing.ts";
import { createPullBodies } from "./pull-bodies.ts";
import { createPullRequests } from "./pull-requests.ts";
import { readAnswer } from "./read-answer.ts";
import { createRepositoryFiles } from "./repository-files.ts";
import { createRepositoryLimits } from "./repository-limits.ts";
import { createRepositorySetup } from "./repository-setup.ts";
import type { Room } from "./room.ts";
import { repositoryShape } from "./shapes.ts";
import type { Spent } from "./spent.ts";
import { createSubIssues } from "./sub-issues.ts";
import { createTokens } from "./tokens.ts";
import { createVerdicts } from "./verdicts.ts";

export interface GitHubOptions {
  readonly appId: number;
  /** PEM, as GitHub made it. */
  readonly privateKey: string;
  /** `https://api.github.com`, or `https://host/api/v3` of an Enterprise server. No other server is ever asked. */
  readonly baseUrl: string;
  /** Signs the markers. A changed one makes what was written before unknown, so keep it with the data. */
  readonly markerSecret: string;
  /** The labels that we create when they are missing. */
  readonly labels: readonly OwnLabel[];
  /** How far Flotilla may go in a repository: no write beyond it is sent. Nothing is withheld when left out. */
  readonly level?: (repository: RepositoryRef) => Level;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each token of an installation, with its end in milliseconds since the epoch, before it is used. */
  readonly minted: (token: string, until: number) => void;
  /** What was asked before the start; where it is absent, nothing was, and nothing is kept. */
  readonly spent?: Spent;
  /** Sees each request. */
  readonly around?: AroundRequest | undefined;
  readonly crashPoint?: AtCrashPoint;
  /** Within which an answer must have come whole; ten seconds when left out, as in all but tests. */
  readonly timeLimitMs?: number | undefined;
}

/** The ports GitHub, HookDeliveries, AppSettingsReader, RepositorySetup and GitHubLimits over REST. Throws `StartupRefused` for an unreadable key; asks nothing before the first call. */
export function createGitHub(
  options: GitHubOptions,
): GitHub & HookDeliveries & AppSettingsReader & RepositorySetup & GitHubLimits & GitHubLeftovers {
  const budget = createBudget(options.clock, options.spent ?? { before: [], add: () => {} });
  const client = createClient({ ...options, budget });
  const appToken = createAppToken(options);
  const app: Caller = { account: "app", authorization: async () => `bearer ${appToken()}` };
  const tokens = createTokens({ client, app, clock: options.clock, minted: options.minted });
  const { level } = options;
  const held = (repository: RepositoryRef, caller: Caller): Caller =>
    level === undefined ? caller : { ...caller, level: level(repository) };
  const room: Room = {
    on: (repository, beside) => client(held(repository, tokens.caller(repository, beside))),
    answering: (repository) => client(held(repository, { ...tokens.caller(repository), forPerson: true })),
    identity: createIdentity({ client, app, tokens }),
    mark: createOwnMark(options.markerSecret),
    clock: options.clock,
  };
  return {
    identity: room.identity,
    limitWaits: () => budget.waits(),
    limitsLeft: () => budget.left(),
    async repository(repository) {
      return readAnswer(room.on(repository).repos.get(at(repository)), repositoryShape);
    },
    permission: createPermission(room),
    gitToken: (repository) => tokens.git(repository),
    ...createChecks(room),
    ...createJobs(room),
    ...createIssues(room),
    ...createComments(room),
    ...createLabels(room, options.labels),
    ...createPullRequests(room),
    ...createDependencies(room),
    ...createSubIssues(room),
    ...createMerging(room, (repository) => client(held(repository, tokens.merger(repository)))),
    ...createPullBodies(room),
    ...createProposing(room, (repository) => client(held(repository, tokens.committer(repository)))),
    ...createVerdicts(room),
    ...createRepositoryLimits(room),
    ...createRepositoryFiles(room),
    ...createHookDeliveries(client, app),
    ...createAppSettings(client, app),
    ...createRepositorySetup(client, { app, tokens }, room),
  };
}
