import { createServer, type Server } from "node:http";
import { emitInstallation, setInstalled } from "./acts/installation.ts";
import { createTokens } from "./auth/tokens.ts";
import { createWebFlow, setCallbacks } from "./auth/web-flow.ts";
import { type AppOptions, createWorld, ensurePerson, type RepositoryOptions } from "./create-world.ts";
import { createDispatch } from "./http/dispatch.ts";
import { createFaults, type Faults } from "./http/faults.ts";
import { createFront } from "./http/front.ts";
import type { Observe } from "./http/observe.ts";
import { createRateLimits } from "./http/rate-limits.ts";
import { createRequestLog, type LoggedRequest } from "./http/request-log.ts";
import { createRouter } from "./http/route.ts";
import { createSecondaryLimits, type Refusal, type Violation } from "./http/secondary-limits.ts";
import { createSerial } from "./http/serial.ts";
import { createPages } from "./pages/pages.ts";
import { createPeople } from "./people.ts";
import type { Person } from "./person.ts";
import { allRoutes } from "./routes/all.ts";
import { startEmulated } from "./routes/emulated.ts";
import { createManifests } from "./routes/manifest.ts";
import { readState, type State } from "./state.ts";
import { createEmit } from "./webhooks/emit.ts";
import { createWebhooks, type Webhooks } from "./webhooks/webhooks.ts";
import type { App, Installation, Repository, Role } from "./world/records.ts";

export interface LocalGitHubOptions {
  /** Where the bare repositories are. Created if missing; the caller removes it. */
  readonly directory: string;
  /** Default: `acme`. */
  readonly organization?: string;
  /** Default: one private repository `app`. The first one is the default of `as` and `state`. */
  readonly repositories?: readonly RepositoryOptions[];
  readonly app?: AppOptions;
  /** People and their role in every repository. `person` can add more later. */
  readonly people?: Readonly<Record<string, Role>>;
  /** Requests per hour for each token. Default: 15000. */
  readonly rateLimit?: number;
  /** True enforces GitHub's secondary limits too. */
  readonly strict?: boolean;
  readonly observe?: Observe;
  /** Milliseconds since the epoch. Default: Date.now. */
  readonly now?: () => number;
  /** Default: 0, any free port. */
  readonly port?: number;
}

export interface LocalGitHub {
  /** Such as http://127.0.0.1:4999; git is at `${origin}/owner/name.git`. */
  readonly origin: string;
  /** The REST API: `${origin}/api/v3`. */
  readonly api: string;
  /** Value for GHE_HOST; GHE_PROTOCOL is http. */
  readonly host: string;
  readonly app: App;
  readonly installation: Installation;
  readonly webhooks: Webhooks;
  readonly faults: Faults;
  /** Returns the last API and git requests, oldest first. */
  readonly requests: () => readonly LoggedRequest[];
  /** Returns the requests of the App and its installation that GitHub's secondary limits forbid; each was refused. */
  readonly violations: () => readonly Violation[];
  /** Only with enforced limits: counts accepted requests, and refuses the next one as given. */
  readonly taken: () => number;
  readonly refuseNext: (refusal: Refusal) => void;
  /** Sets the callback URLs to which the App may redirect people who sign in. */
  readonly setCallbacks: (urls: readonly string[]) => void;
  readonly setWebhook: (hook: { url: string; secret: string }) => void;
  /** Gives a person a role in one repository (owner/name) or in all. Returns their personal token. */
  readonly person: (login: string, has: { permission: Role; repository?: string }) => string;
  /** Returns a scripted person who acts in a repository (owner/name; default: the first). */
  readonly as: (login: string, repository?: string) => Person;
  /** Returns the records of a repository (owner/name; default: the first). */
  readonly state: (repository?: string) => State;
  /** Adds a repository (owner/name) to the App's installation, or removes it. */
  readonly setInstalled: (repository: string, installed: boolean, by: string) => void;
  /** Sends an `installation` webhook; `suspend` and `deleted` also revoke all installation tokens. */
  readonly installationEvent: (action: "created" | "deleted" | "suspend" | "unsuspend", by: string) => void;
  readonly revokeInstallationTokens: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a local GitHub on 127.0.0.1, with one App installed in one organization. */
export async function startLocalGitHub(options: LocalGitHubOptions): Promise<LocalGitHub> {
  const nowMs = options.now ?? Date.now;
  const observe = options.observe ?? {};
  const organization = options.organization ?? "acme";
  const repositories = options.repositories ?? [{ name: "app" }];
  const server = createServer();
  const origin = await listen(server, options.port ?? 0);

  const emit = createEmit(observe);
  const app = options.app ?? {};
  const { directory } = options;
  const world = await createWorld({
    origin,
    directory,
    organization,
    repositories,
    app,
    nowMs,
    emit: emit.emit,
  });
  const webhooks = createWebhooks(world.app, world.nextId, nowMs);
  emit.connect(world, webhooks);

  const people = options.people ?? {};
  const names = repositories.map(({ name }) => name);
  const emulated = await startEmulated({ organization, repositories: names });
  const tokens = createTokens();
  const limits = createRateLimits(options.rateLimit ?? 15_000, nowMs);
  const manifests = createManifests();
  const find = createRouter(allRoutes({ tokens, webhooks, limits, manifests, emulated: emulated.routes }));
  const oneWrite = createSerial();
  const secondary = createSecondaryLimits(nowMs);
  const dispatch = createDispatch({
    world,
    tokens,
    limits,
    ...(options.strict === true ? { secondary } : {}),
    find,
    oneWrite,
    observe,
  });
  const log = createRequestLog();
  const faults = createFaults();

  const repositoryOf = (name?: string): Repository => {
    const [first] = world.repositories.values();
    const found = name === undefined ? first : world.repositories.get(name.toLowerCase());
    if (found === undefined) throw new Error(`The local GitHub has no repository ${name ?? "at all"}.`);
    return found;
  };
  const scripted = createPeople({ world, tokens, dispatch, oneWrite, find: repositoryOf });
  const person: LocalGitHub["person"] = (login, has) => {
    const account = ensurePerson(world, login);
    const where =
      has.repository === undefined ? [...world.repositories.values()] : [repositoryOf(has.repository)];
    for (const repository of where) repository.roles.set(account.login.toLowerCase(), has.permission);
    return scripted.tokenOf(login);
  };
  for (const [login, permission] of Object.entries(people)) person(login, { permission });
  const visitor = (repository: Repository): Person | undefined => {
    const login = Object.keys(people)[0];
    return login === undefined ? undefined : scripted.as(login, repository);
  };
  const flow = createWebFlow({ world, tokens });
  const pages = createPages(world, manifests, flow, visitor);
  server.on("request", createFront({ world, tokens, flow, oneWrite, dispatch, pages, faults, log: log.add }));

  return {
    origin,
    api: world.api,
    host: new URL(origin).host,
    app: world.app,
    installation: world.installation,
    webhooks,
    faults,
    requests: log.entries,
    violations: secondary.violations,
    taken: secondary.taken,
    refuseNext: secondary.refuseNext,
    setCallbacks: (urls) => setCallbacks(world.app, urls),
    setWebhook: (hook) => void Object.assign(world.app.hook, hook),
    person,
    as: (login, repository) => scripted.as(login, repositoryOf(repository)),
    state: (repository) => readState(repositoryOf(repository)),
    setInstalled: (repository, installed, by) =>
      setInstalled(world, ensurePerson(world, by), repositoryOf(repository), installed),
    installationEvent: (action, by) => {
      if (action === "suspend" || action === "deleted") tokens.revokeInstallation();
      emitInstallation(world, ensurePerson(world, by), action);
    },
    revokeInstallationTokens: tokens.revokeInstallation,
    close: async () => {
      await webhooks.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await oneWrite(async () => undefined);
      await emulated.close();
    },
  };
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The local GitHub has no address.");
  return `http://127.0.0.1:${address.port}`;
}
