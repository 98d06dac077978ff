import { createHash } from "node:crypto";
import { DEFAULT_RUNTIME } from "../../src/adapters/runtimes/registry.ts";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { redactor } from "../../src/domain/access/redact.ts";
import { modelAccount } from "../../src/domain/breakers/provider-breaker.ts";
import type { DomainEvent } from "../../src/domain/events/domain-event.ts";
import { SECOND_LOOKUP_MS } from "../../src/domain/kernel/backoff.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { categoryLabel, ESCALATION_CATEGORIES } from "../../src/domain/tasks/escalation.ts";
import { stateLabel } from "../../src/domain/tasks/state-label.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { EngineContext } from "../../src/engine/kernel/engine-context.ts";
import { RepositorySettings } from "../../src/engine/settings/repository-settings.ts";
import { HOST_FUNCTIONS } from "../../src/server/host-functions.ts";
import { createDeliveryConsumer, type DeliveryConsumer } from "../../src/webhooks/queue/delivery-consumer.ts";
import { editing } from "../engine/editing-runtime.ts";
import { joinGitAndGitHub } from "../engine/join-git-and-github.ts";
import { AT } from "../factories/moment.ts";
import { createFakeRuntime, type FakeAgentRuntime } from "../fakes/agent-runtime.ts";
import { createFakeClock, type FakeClock } from "../fakes/clock.ts";
import { createFakeDisk } from "../fakes/disk.ts";
import { createFakeGitHub, type FakeGitHub } from "../fakes/github.ts";
import { addIssue, BOT, type FakeRepository, person } from "../fakes/github-world.ts";
import { NO_MCP_SERVERS } from "../fakes/mcp-servers.ts";
import { createFakeOperatorFiles } from "../fakes/operator-files.ts";
import { createFakeRunner } from "../fakes/runner.ts";
import { createFakeWorktrees, type FakeWorktrees } from "../fakes/worktrees.ts";
import type { Chance } from "./chance.ts";
import { randomModel } from "./model.ts";
import { type Outside, type SimulatedLife, throughTurns } from "./ports.ts";
import { settingsOf } from "./settings.ts";
import { emptyStore } from "./store.ts";
import { Turns } from "./turns.ts";

const REPOSITORY = { id: 7, owner: "acme", name: "shop", installationId: 5 };
const ISSUES = 5;
/** How long GitHub's lists lag. */
const LAG_MS = 10_000;

const LABELS = {
  "needs-human": "d93f0b",
  ...Object.fromEntries(TASK_STATES.map((state) => [stateLabel(state), "ededed"])),
  ...Object.fromEntries(ESCALATION_CATEGORIES.map((category) => [categoryLabel(category), "d93f0b"])),
};

/** One process of Flotilla: its engine and the consumer of its deliveries. */
interface Process {
  readonly life: SimulatedLife;
  readonly engine: Engine;
  readonly consumer: DeliveryConsumer;
  /** It has put right what the one before it left; until then it takes nothing on. */
  ready: boolean;
  /** It could not start. */
  failed: boolean;
}

/** The engine on a real database in memory, and a world outside that is made of chance. */
export interface World extends Outside {
  readonly chance: Chance;
  readonly turns: Turns;
  readonly clock: FakeClock;
  readonly store: OpenStore;
  readonly repository: FakeRepository;
  readonly worktrees: FakeWorktrees;
  readonly runtime: FakeAgentRuntime;
  readonly settings: Settings;
  /** What the webhooks that GitHub has sent tell, by guid. */
  readonly told: Map<string, DomainEvent>;
  deliveries: number;
  readonly process: Process;
  /** Errors that the engine logged of itself; there shall be none. */
  readonly errors: string[];
  /** kill -9, now; the next process begins on what the database holds. */
  crash(): void;
}

/** What all processes of a run find as those before left it. */
export interface Parts {
  store: OpenStore;
  readonly github: FakeGitHub;
  readonly repository: FakeRepository;
}

export function createWorld(
  chance: Chance,
  note: (line: string) => void,
  sabotage: (parts: Parts) => void = () => {},
): World {
  const clock = createFakeClock(AT);
  const turns = new Turns();
  const github = createFakeGitHub({ clock, labels: LABELS, lagMs: LAG_MS });
  const repository = github.add(REPOSITORY);
  repository.permissions.set("alice", "write").set("bob", "write").set("eve", "read");
  for (let number = 1; number <= ISSUES; number += 1)
    addIssue(repository, { title: `Feature ${number}`, body: `Do ${number}.`, author: person("alice") });
  const worktrees = createFakeWorktrees({ "README.md": "# Shop" });
  joinGitAndGitHub(worktrees, github, repository);
  const runtime = createFakeRuntime({ model: randomModel(chance), clock });
  const runner = createFakeRunner();
  const parts: Parts = { store: emptyStore(), github, repository };
  sabotage(parts);
  const { store } = parts;
  const settings = settingsOf(chance);
  const errors: string[] = [];

  function begin(): Process {
    const life: SimulatedLife = { over: false };
    const port = <T extends object>(name: string, target: T): T => throughTurns(world, life, name, target);
    const log: EngineContext["log"] = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (fields, message) => {
        if (life.over) return;
        const text = `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.message : value))}`;
        note(`  error: ${text}`);
        if (!EXPECTED.has(message)) errors.push(text);
      },
    };
    const own = port("store", store);
    const living = {
      now: () => clock.now(),
      after: (ms: number, fn: () => void) =>
        clock.after(ms, () => {
          turns.noticed();
          if (!life.over) fn();
        }),
    };
    const engine = createEngine({
      store: own,
      invariants: store,
      github: port("github", github),
      worktrees: port("worktrees", worktrees),
      runner: port("runner", runner),
      runtime: port("runtime", editing(runtime, worktrees, { port })),
      mcpServers: NO_MCP_SERVERS,
      commandEnv: {},
      runningCommands: new Map(),
      site: "https://github.com",
      clock: living,
      log,
      settings,
      provider: undefined,
      accountKey: undefined,
      account: modelAccount(settings.runtime.provider, DEFAULT_RUNTIME.account),
      identity: { slug: "flotilla", botLogin: BOT.login, botId: BOT.id },
      digest: (content) => createHash("sha256").update(content).digest("hex"),
      node: "sim-1",
      memoryBytes: 16 * 1024 ** 3,
      version: "1.2.3",
      reads: 1,
      alone: true,
      nonce: () => "nonce7",
      frontMatter: HOST_FUNCTIONS.frontMatter,
      readPicture: HOST_FUNCTIONS.readPicture,
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
      operatorFiles: createFakeOperatorFiles(clock),
      crashPoint: () => {},
      ownSettings: new RepositorySettings({
        store: own,
        github,
        settings,
        readFile: readRepositoryFile,
        note: () => {},
        clock: living,
        log,
      }),
    });
    let claims = 0;
    const consumer = createDeliveryConsumer({
      deliveries: own.deliveries,
      node: HOST_FUNCTIONS.node,
      nonce: () => `claim-${(claims += 1)}`,
      receive: async ({ guid }, claim) => {
        const event = world.told.get(guid);
        if (event === undefined) return { ignored: "nothing is known of it" };
        await engine.handle({ ...event, at: clock.now() }, claim);
        return "handled";
      },
      clock: living,
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

  let present: Process | undefined;
  const world: World = {
    chance,
    turns,
    note,
    now: () => clock.now(),
    faults: 0.1,
    clock,
    store,
    repository,
    worktrees,
    runtime,
    settings,
    told: new Map<string, DomainEvent>(),
    deliveries: 0,
    errors,
    get process() {
      if (present === undefined) throw new Error("no process has begun");
      return present;
    },
    crash() {
      world.process.life.over = true;
      for (const id of runtime.running) runtime.kill(id);
      // What was on its way to GitHub may arrive all the same.
      for (const one of turns.takeOver()) if (ON_THE_WIRE.test(one.name) && chance.happens(0.3)) one.go();
      present = begin();
    },
  };
  present = begin();
  return world;
}

/** Calls that somebody else carries out, whatever becomes of us. */
const ON_THE_WIRE = /^(github\.|worktrees\.push$)/;

/** What is logged as an error and is one of the outside's or of an agent's. */
const EXPECTED: ReadonlySet<string> = new Set(["effect failed", "agent's driver failed", "incident opened"]);
