import { createHash } from "node:crypto";
import { DEFAULT_RUNTIME } from "../../src/adapters/runtimes/registry.ts";
import { observedStore } from "../../src/adapters/store/observed-store.ts";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { redactor } from "../../src/domain/access/redact.ts";
import { SECOND_LOOKUP_MS } from "../../src/domain/kernel/backoff.ts";
import { ALL_ROLES } from "../../src/domain/recovery/node-roles.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { EngineContext } from "../../src/engine/kernel/engine-context.ts";
import { OwnOutcomes } from "../../src/engine/recovery/own-outcomes.ts";
import { RepositorySettings } from "../../src/engine/settings/repository-settings.ts";
import { HOST_FUNCTIONS } from "../../src/server/host-functions.ts";
import { createDeliveryConsumer } from "../../src/webhooks/queue/delivery-consumer.ts";
import { editing } from "../engine/editing-runtime.ts";
import { createFakeDisk } from "../fakes/disk.ts";
import { BOT } from "../fakes/github-world.ts";
import { NO_MCP_SERVERS } from "../fakes/mcp-servers.ts";
import { createFakeNotices } from "../fakes/notices.ts";
import { createFakeOperatorFiles } from "../fakes/operator-files.ts";
import type { Machine, Process } from "./machine.ts";
import { type SimulatedLife, throughTurns } from "./ports.ts";
import type { Parts, World } from "./world.ts";

/** What is logged as an error and is one of the outside's or of an agent's. */
const EXPECTED: ReadonlySet<string> = new Set(["effect failed", "agent's driver failed", "incident opened"]);

/** Begins a process on the machine, on what the database and its disk hold. */
export function beginProcess(world: World, machine: Machine, { store, github }: Parts): Process {
  const { settings, note } = world;
  const { name, worktrees, runtime, runner } = machine;
  const alone = world.machines.length === 1;
  const life: SimulatedLife = {
    machine: name,
    over: false,
    get held() {
      return machine.heldUntil !== null;
    },
  };
  const port = <T extends object>(part: string, target: T): T => throughTurns(world, life, part, target);
  const log: EngineContext["log"] = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields, message) => {
      if (life.over) return;
      const text = `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.message : value))}`;
      note(`  error: ${text}`);
      if (!EXPECTED.has(message)) world.errors.push(text);
    },
  };
  const own = port("store", observedStore(store, [world.leases.of(name)], log));
  const clock = {
    now: () => machine.clock.now(),
    after: (ms: number, fn: () => void) =>
      machine.clock.after(ms, () => {
        if (!life.over) fn();
      }),
  };
  let nonces = 0;
  machine.starts += 1;
  const { starts } = machine;
  const nonce = () => `${name}-${starts}-${(nonces += 1)}`;
  const engine = createEngine({
    store: own,
    invariants: store,
    outcomes: new OwnOutcomes(),
    github: port("github", github),
    githubRoom: { noRoomUntil: () => null },
    worktrees: port("worktrees", worktrees),
    runner: port("runner", runner),
    runtimes: new Map([[runtime.name, port("runtime", editing(runtime, worktrees, { port }))]]),
    mcpServers: NO_MCP_SERVERS,
    notices: port("notices", createFakeNotices()),
    commandEnv: {},
    runningCommands: new Map(),
    site: "https://github.com",
    publicUrl: null,
    clock,
    log,
    settings,
    provider: undefined,
    providers: new Map(),
    accountKey: undefined,
    ownAccount: DEFAULT_RUNTIME.account,
    identity: { slug: "flotilla", botLogin: BOT.login, botId: BOT.id },
    digest: (content) => createHash("sha256").update(content).digest("hex"),
    node: name,
    memoryBytes: 16 * 1024 ** 3,
    version: "1.2.3",
    reads: 1,
    alone,
    roles: ALL_ROLES,
    publicKey: null,
    nonce,
    frontMatter: HOST_FUNCTIONS.frontMatter,
    readPicture: HOST_FUNCTIONS.readPicture,
    camera: HOST_FUNCTIONS.camera,
    programsFound: HOST_FUNCTIONS.programsFound,
    redact: redactor([]),
    recordedResponses: () => ({}),
    within: (_, work) => work(),
    directories: {
      home: (id) => Promise.resolve(`/fake/sessions/${id}/home`),
      session: (id) => Promise.resolve(`/fake/sessions/${id}`),
      evaluation: (id) => Promise.resolve(`/fake/evaluations/${id}`),
      workplace: (id) => Promise.resolve(`/fake/workplaces/${id}`),
      sentFile: (id) => Promise.resolve(`/fake/sent/${id}`),
      drop: async () => {},
      skills: (id) => Promise.resolve(`/fake/skills/${id}`),
      cache: (id) => Promise.resolve(`/fake/caches/${id}`),
    },
    pullsOfPeople: HOST_FUNCTIONS.pullsOfPeople,
    secondLookupMs: SECOND_LOOKUP_MS,
    disk: createFakeDisk(),
    operatorFiles: createFakeOperatorFiles(world.clock),
    crashPoint: () => {},
    ownSettings: new RepositorySettings({
      store: own,
      github,
      settings,
      readFile: readRepositoryFile,
      note: () => {},
      clock,
      log,
    }),
  });
  const consumer = createDeliveryConsumer({
    deliveries: own.deliveries,
    node: name,
    nonce,
    receive: async ({ guid }, claim) => {
      const event = world.told.get(guid);
      if (event === undefined) return { ignored: "nothing is known of it" };
      await engine.handle({ ...event, at: clock.now() }, claim);
      return "handled";
    },
    clock,
    log,
    concurrency: 8,
  });
  const process: Process = { life, engine, consumer, ready: false, failed: false };
  async function start(): Promise<void> {
    try {
      await engine.recover();
      process.ready = true;
      consumer.poke();
      engine.poke();
    } catch (error) {
      note(`  it does not start: ${String(error)}`);
      process.failed = true;
    }
  }
  void start();
  return process;
}
