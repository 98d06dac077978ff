import { createWorktrees } from "../adapters/git/worktree/create-worktrees.ts";
import { createMcpServers } from "../adapters/mcp/create-mcp-servers.ts";
import { createNotices } from "../adapters/notices/create-notices.ts";
import { DEFAULT_RUNTIME } from "../adapters/runtimes/registry.ts";
import { lockDataDirectory } from "../adapters/store/data-directory-lock.ts";
import { observedStore } from "../adapters/store/observed-store.ts";
import { databaseIn } from "../adapters/store/registry.ts";
import type { Variables } from "../config/environment.ts";
import type { Config } from "../config/load-config.ts";
import { createApi } from "../dashboard/api/api.ts";
import { EventStreams } from "../dashboard/api/event-streams.ts";
import { createPageRoute } from "../dashboard/page-route.ts";
import { levelIn } from "../domain/access/level-of.ts";
import type { RunningCommand } from "../domain/evidence/running-command.ts";
import { SECOND_LOOKUP_MS } from "../domain/kernel/backoff.ts";
import { messageOf } from "../domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../domain/kernel/repository.ts";
import type { Log } from "../domain/ports/log.ts";
import type { Life } from "../domain/ports/node-tables.ts";
import { createEngine } from "../engine/engine.ts";
import { ChangeSignal } from "../engine/kernel/change-signal.ts";
import { OwnOutcomes } from "../engine/recovery/own-outcomes.ts";
import { createHttpServer } from "../http/http-server.ts";
import { ownHostsOnly } from "../http/own-hosts.ts";
import { TokenGate } from "../http/token-gate.ts";
import { InFlightCount } from "../http/under-way.ts";
import { storyInto } from "../observability/log/story-observer.ts";
import { createMetrics } from "../observability/metrics/create-metrics.ts";
import { createSweeper } from "../webhooks/queue/sweeper.ts";
import { WEBHOOK_PATH } from "../webhooks/receive/webhook-route.ts";
import { openAgentGroups } from "./agent-groups.ts";
import { commandEnvironment } from "./command-environment.ts";
import type { ControlContext } from "./control/control-acts.ts";
import { startControl } from "./control/control-server.ts";
import { crashPoints, shortened } from "./crash-points.ts";
import { dashboardParts, signInOfPage, withoutSecrets } from "./dashboard-parts.ts";
import { HOST_FUNCTIONS } from "./host-functions.ts";
import { knownIdentity } from "./known-identity.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { closed, listen } from "./listening.ts";
import { makeAgentRuntimes, programPlaces } from "./make-agent-runtime.ts";
import { makeConsumer } from "./make-consumer.ts";
import { makeGitHub } from "./make-github.ts";
import { makeIsolation, makeRunner } from "./make-runner.ts";
import { NO_RUNNER } from "./no-runner.ts";
import { noSweep } from "./no-sweep.ts";
import { onboardsWith } from "./onboarding/onboards-with.ts";
import { openTraces } from "./open-traces.ts";
import { ownSettingsOf } from "./own-settings.ts";
import { ownVersion } from "./own-version.ts";
import { recordingPort } from "./response-recorder.ts";
import { giveTokens } from "./sealed-tokens/give-tokens.ts";
import { tokensForOthers } from "./sealed-tokens/tokens-for-others.ts";
import { markerSecret, secretFile } from "./secret-file.ts";
import { pageRoutes, webhookRoute } from "./served-routes.ts";
import { serverUrls } from "./server-urls.ts";
import { agentPlaces } from "./session-directories.ts";
import { ShutdownStack } from "./shutdown-stack.ts";
import { logMemory } from "./start-checks/memory.ts";
import { logPrograms } from "./start-checks/runtime.ts";
import { systemClock as clock } from "./system-clock.ts";
import { listenToOthers, tellsOthers } from "./wake-ups.ts";

/** How often the engine checks whether anything has become due. */
const TICK_MS = 1000;

export interface Flotilla {
  /** `http://host:port` as it listens; null where its roles need no port. */
  readonly url: string | null;
  readonly dashboardToken: string;
  /** True if Flotilla generated the token. */
  readonly madeToken: boolean;
  /** Shuts down: accepts no new claims, aborts turns, keeps conversations, releases leases. Idempotent. */
  stop(): Promise<void>;
}

/**
 * The composition root: opens the store, builds the adapters, recovers, listens. Throws `StartupRefused`. `variables` name
 * the database: none of them for a database of its own in the data directory.
 */
export async function startFlotilla(
  config: Config,
  log: Log,
  known: KnownSecrets,
  variables: Variables = process.env,
): Promise<Flotilla> {
  const { environment, secrets } = config;
  const { dataDir, node = HOST_FUNCTIONS.node, roles } = environment;
  const controls = roles.has("controller");
  const crashPoint = crashPoints(process.env["FLOTILLA_CRASH_AT"]);
  const releases = new ShutdownStack(log);
  try {
    releases.add("data directory", lockDataDirectory(dataDir));
    const database = databaseIn({ variables, dataDir });
    const traces = await openTraces(config, { clock, log, releases });
    const metrics = createMetrics();
    const opened = await database.open({ redact: known.redact, crashPoint });
    const isAlone = database.usedBy === "one_process";
    const outcomes = new OwnOutcomes();
    const observers = [
      metrics.observe,
      outcomes.observe,
      storyInto(log),
      ...(traces.observe === undefined ? [] : [traces.observe]),
      ...(isAlone ? [] : [() => tellsOthers(opened.changes, clock)]),
    ];
    const store = observedStore(opened, observers, log);
    releases.add("store", () => store.close());
    const dashboardToken = secrets.dashboardToken ?? secretFile(dataDir, "dashboard-token");
    const marker = await markerSecret(secrets.markerSecret, { dataDir, store });
    for (const ours of [dashboardToken, marker]) known.keep(ours);
    const { apiUrl, gitUrl } = serverUrls(environment);
    const level = (repository: RepositoryRef) => levelIn(config, fullName(repository));
    const nodes = { count: (): number => 1, life: (): Life | null => null };
    const told = new ChangeSignal();
    const { github, publicKey } = makeGitHub(config, {
      apiUrl,
      marker,
      level,
      store,
      known,
      nodes,
      told: () => told.next(),
      around: traces.request,
      crashPoint,
      clock,
      log,
    });
    const identity = controls
      ? await knownIdentity({ github, appId: environment.appId, dataDir, apiUrl, log })
      : await github.identity();
    if (controls) await store.appIdentities.put(identity);
    const runner = metrics.runner(
      roles.has("runner")
        ? await makeRunner(config, { clock, log, releases, groups: await openAgentGroups(config, log) })
        : NO_RUNNER,
    );
    if (roles.has("runner")) {
      logMemory(config, HOST_FUNCTIONS.memoryBytes, log);
      logPrograms(config, programPlaces(dataDir), log);
    }
    const worktrees = createWorktrees({
      dataDir,
      serverUrl: gitUrl,
      token: (repository) => github.gitToken(repository),
      level,
      log,
      isolation: makeIsolation(config),
      crashPoint,
    });
    const site = new URL(gitUrl).origin;
    const ownSettings = ownSettingsOf(config, { store, github, readsFiles: controls, clock, log });
    const runningCommands = new Map<number, RunningCommand>();
    const places = agentPlaces(dataDir, database.files, log);
    const commandEnv = commandEnvironment(process.env);
    const engine = createEngine({
      store,
      invariants: store,
      outcomes,
      github: recordingPort(github),
      githubRoom: github,
      worktrees,
      runner,
      mcpServers: createMcpServers({
        servers: config.mcpServers,
        secrets: secrets.mcpServers,
        runner,
        commandEnv,
        clock,
        log,
      }),
      notices: createNotices(secrets.noticeAddresses, { clock }),
      commandEnv,
      runtimes: makeAgentRuntimes(config, {
        wrapped: (runtime) => traces.runtime(runtime),
        host: { runner, log, clock, crashPoint },
      }),
      clock,
      log,
      settings: config,
      provider: secrets.provider,
      providers: secrets.providers,
      accountKey: secrets.accountKey,
      ownAccount: DEFAULT_RUNTIME.account,
      identity,
      site,
      publicUrl: environment.publicUrl,
      ...HOST_FUNCTIONS,
      node,
      version: ownVersion(),
      reads: database.reads,
      alone: isAlone,
      roles,
      publicKey,
      redact: known.redact,
      within: traces.within,
      ...places,
      ownSettings,
      runningCommands,
      secondLookupMs: shortened(process.env["FLOTILLA_SECOND_LOOK_MS"]) ?? SECOND_LOOKUP_MS,
      crashPoint,
    });
    nodes.count = () => engine.nodeCount();
    nodes.life = () => engine.life();
    const { privateKey, webhookSecret } = secrets;
    const consumer =
      controls && privateKey !== undefined
        ? makeConsumer(config, {
            privateKey,
            apiUrl,
            store,
            github,
            identity,
            ownSettings,
            engine,
            traces,
            node,
            clock,
            log,
          })
        : undefined;
    let ready: string | null = "starting";
    const webhooksUnderWay = new InFlightCount();
    const webhooks = webhookRoute(roles, webhookSecret, {
      previousSecret: secrets.webhookSecretPrevious,
      deliveries: store.deliveries,
      clock,
      log,
      onStored: () => consumer?.poke(),
      crashPoint,
      underWay: webhooksUnderWay,
    });
    const gate = new TokenGate(dashboardToken, { now: () => clock.now(), log });
    const events = new EventStreams({ store, clock, log });
    const api = createApi({
      store,
      events,
      gate,
      notReady: async () => ready ?? (engine.leavesToOthers() ? "draining" : null),
      limitWaits: () => github.limitWaits(),
      page: dashboardParts({
        settings: config,
        runningCommands,
        site,
        github,
        setup: github,
        worktrees,
        store,
        control: () => control,
        clock,
        inForce: withoutSecrets(config.inForce, known),
      }),
      clock,
      log,
      isUrgent: webhooksUnderWay.any,
    });
    const page = createPageRoute(
      signInOfPage({ signIn: secrets.signIn, site, apiUrl, token: dashboardToken, store, clock, log }),
    );
    const metricsRoute = metrics.route({
      webhookPath: WEBHOOK_PATH,
      gate,
      moment: () => ({
        store,
        github,
        database,
        dataDir,
        disk: places.disk,
        ready: ready === null,
        now: clock.now(),
      }),
      log,
    });
    const control: ControlContext = {
      store,
      operations: engine.operations,
      onboard: onboardsWith({
        store,
        operations: engine.operations,
        github,
        settings: config,
        publicUrl: environment.publicUrl,
        clock,
        log,
      }),
      poke: () => consumer?.poke(),
      sweep: () => sweeper?.now() ?? Promise.reject(noSweep()),
    };
    // Tunnels forward webhooks under any host name, and health probes use host names that are not listed.
    const ownHosts = ownHostsOnly(
      [environment.host, ...environment.hosts],
      [WEBHOOK_PATH, "/healthz", "/readyz"],
    );
    const pages = pageRoutes(roles, { api, page });
    const server = createHttpServer([ownHosts, metricsRoute, ...webhooks, ...pages], { log });
    log.info(await engine.recover(), "recovered");
    // The latest delivery of the previous run, read before a new one can arrive.
    const [newest] = await store.deliveries.list({}, 1);
    const url = roles.has("intake") || roles.has("web") ? await listen(server, environment) : null;
    const sweeper = controls
      ? createSweeper({
          github,
          deliveries: store.deliveries,
          sweeps: store.sweeps,
          newest: newest?.receivedAt ?? null,
          onLost: (lost) => engine.catchUp(lost),
          clock,
          log,
          crashPoint,
        })
      : undefined;
    const sweep = engine.once("sweep", async () => sweeper?.tick());
    const tokens = tokensForOthers(engine, giveTokens({ store, github, clock, log }));
    if (controls) releases.add("tokens", tokens.begin());
    releases.add("control socket", await startControl({ dataDir, ...control, crashPoint, log }));
    const timer = setInterval(() => {
      consumer?.poke();
      void Promise.all([sweep(), engine.watchDisk()]);
      engine.tick().catch((error: unknown) => log.error({ error: messageOf(error) }, "engine round failed"));
    }, TICK_MS);
    releases.add("engine", () => engine.stop());
    releases.add("consumer", async () => consumer?.stop());
    releases.add("sweeper", async () => sweeper?.stop());
    releases.add("timer", () => clearInterval(timer));
    if (url !== null) releases.add("server", () => closed(server));
    releases.add("event streams", () => events.close());
    consumer?.poke();
    engine.poke();
    const act = () => {
      told.tell();
      consumer?.poke();
      engine.othersWrote();
      if (controls) tokens.look();
    };
    listenToOthers(opened.changes, { clock, log, act });
    ready = null;
    return {
      url,
      dashboardToken,
      madeToken: secrets.dashboardToken === undefined,
      stop: () => {
        ready = "stopping";
        return releases.run();
      },
    };
  } catch (error) {
    await releases.run();
    throw error;
  }
}
