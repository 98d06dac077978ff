import { setImmediate as soon } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { DEFAULT_RUNTIME } from "../../src/adapters/runtimes/registry.ts";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { type Redact, redactor } from "../../src/domain/access/redact.ts";
import { SECOND_LOOKUP_MS } from "../../src/domain/kernel/backoff.ts";
import type { ModelProvider } from "../../src/domain/ports/agent-runtime.ts";
import { NODE_ROLES, type NodeRole } from "../../src/domain/recovery/node-roles.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { newRoom } from "../../src/engine/agents/room.ts";
import { askedModels } from "../../src/engine/breakers/asked-models.ts";
import { ProviderBreaker } from "../../src/engine/breakers/provider-breaker.ts";
import { createEngine, type Engine } from "../../src/engine/engine.ts";
import type { EngineContext } from "../../src/engine/kernel/engine-context.ts";
import { Nodes } from "../../src/engine/recovery/nodes.ts";
import { OwnOutcomes } from "../../src/engine/recovery/own-outcomes.ts";
import { REGISTRY } from "../../src/engine/registry.ts";
import { toolKinds } from "../../src/engine/tools/catalog.ts";
import { recordingPort } from "../../src/server/response-recorder.ts";
import { AT, MINUTE } from "../factories/moment.ts";
import { someSettings } from "../factories/some-settings.ts";
import { createFakeRuntime, type FakeAgentRuntime, scripted } from "../fakes/agent-runtime.ts";
import { createFakeClock, type FakeClock } from "../fakes/clock.ts";
import { createFakeDisk, type FakeDisk } from "../fakes/disk.ts";
import { createFakeGitHub, type FakeGitHub } from "../fakes/github.ts";
import { addIssue, BOT, type FakeRepository, person } from "../fakes/github-world.ts";
import { NO_MCP_SERVERS } from "../fakes/mcp-servers.ts";
import { createFakeNotices, type FakeNotices } from "../fakes/notices.ts";
import { createFakeOperatorFiles, type FakeOperatorFiles } from "../fakes/operator-files.ts";
import { createFakeRunner, type FakeRunner } from "../fakes/runner.ts";
import { createFakeWorktrees, type FakeWorktrees } from "../fakes/worktrees.ts";
import { editing } from "./editing-runtime.ts";
import { FAKE_DIRECTORIES } from "./fake-directories.ts";
import { joinGitAndGitHub } from "./join-git-and-github.ts";
import { beginLife, type Life, missing } from "./life.ts";
import { databaseHere } from "./on-disk.ts";
import { ON_POSTGRES, turn } from "./on-postgres.ts";
import { OUR_LABELS } from "./our-labels.ts";
import { storeAt } from "./rig-store.ts";
import { byName, keyedProviders, otherRuntimes } from "./runtimes-of-rig.ts";
import type { Conversation } from "./scripts.ts";
import { type Given, withOwnSettings } from "./with-own-settings.ts";
import { readingOverDelimiters, WAYS } from "./without-delimiters.ts";

export const REPOSITORY = { id: 7, owner: "acme", name: "shop", installationId: 5 };
/** A secret of the host that an agent found. */
export const OUR_SECRET = "correct horse battery staple";
/** Another one, random and of no known shape. */
export const OUR_KEY = "fL9x2Qw7Zr4Tn8Vb3Kc6Hy1Mp5Dj0Gs7Ae2U";

/** A text is cleaned once for all rigs of a process, which write the same ones again and again. */
function remembered(redact: Redact): Redact {
  const known = new Map<string, string>();
  return (text) => {
    const clean = known.get(text) ?? redact(text);
    if (text.length < 1000) known.set(text, clean);
    return clean;
  };
}

const OF_STORE = remembered(redactor([OUR_KEY]));
const OF_ENGINE = remembered(redactor([OUR_SECRET, OUR_KEY]));

const STEP_MS = 4 * MINUTE; // Shorter than a lease.
/** What follows from the answer of a port comes within fewer turns of the event loop. */
const QUIET_TURNS = 20;

/** The engine on a real database, with everything outside in memory, and a clock that the test moves. */
export interface Rig {
  readonly clock: FakeClock;
  readonly store: OpenStore;
  readonly github: FakeGitHub;
  readonly repository: FakeRepository;
  readonly worktrees: FakeWorktrees;
  /** The built-in one. */
  readonly runtime: FakeAgentRuntime;
  /** Those of the settings, by name. */
  readonly others: ReadonlyMap<string, FakeAgentRuntime>;
  /** Setup and acceptance commands. */
  readonly runner: FakeRunner;
  readonly notices: FakeNotices;
  readonly disk: FakeDisk;
  readonly operatorFiles: FakeOperatorFiles;
  /** What the engine takes for the outcomes of its work; tests count them. */
  readonly outcomes: OwnOutcomes;
  /** Warnings and errors that the engine logged. */
  readonly logged: { readonly level: string; readonly message: string }[];
  /** The engine of the present life. */
  readonly engine: Engine;
  /** What that engine was given, for moves that only the engine itself makes. */
  readonly context: EngineContext;
  readonly life: Life;
  /** Deliveries so far; gives each its id. */
  deliveries: number;
  /** Called with each crash point; ends the life by `rig.life.end()`. */
  onCrashPoint: (name: string) => void;
  /** Called before each call of a port. */
  onCall: (call: string) => void;
  /** Until nothing is under way; what waits for time or people remains. */
  idle(): Promise<void>;
  /** Lets time pass in one leap, then everything that follows; for times in which no agent is at work. */
  pass(ms: number): Promise<void>;
  /** Lets time pass in steps with a round each, as it does while agents work; what an agent does continues automatically. */
  work(ms: number): Promise<void>;
  /** Until no port is called any more: what happens next waits for time, people or a model's answer. */
  quiet(): Promise<void>;
  /** Turns the event loop, a bounded number of times, until it holds. */
  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void>;
  /** The process is gone; a new one begins on the same database. */
  restart(): Promise<void>;
  /** Throws when an invariant was broken at any time. */
  close(): Promise<void>;
}

export interface RigOptions {
  readonly script?: readonly Conversation[];
  /** Files of the default branch beside the README. */
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
  readonly provider?: ModelProvider;
  /** The model reads the delimiters around texts of others too. */
  readonly delimiters?: boolean;
  /** How many issues there are; numbers 1 to this. */
  readonly issues?: number;
  /** Its file; null = in memory. Where the caller does not say, `databaseHere` does. */
  readonly database?: string | null;
  /** How long GitHub's lists do not show what was written; they never lag when left out. */
  readonly lagMs?: number;
  /** False: the rules are not looked at after each move, which takes longer with each row. */
  readonly watched?: boolean;
  /** Wraps what the engine of each life is given; as it is when left out. */
  readonly wrapped?: (given: Given) => Given;
  /** False: other nodes may use the database. */
  readonly alone?: boolean;
  /** The parts of the work that this node has; all by default. */
  readonly roles?: readonly NodeRole[];
  /** Runtimes of the settings that the engine is not given. */
  readonly withoutRuntimes?: readonly string[];
  /** Another node, of this name, on the database, GitHub and the clock of that rig; with a disk and processes of its own. */
  readonly beside?: { readonly rig: Rig; readonly node: string };
}

/** A rig that is closed with the test. */
export async function aRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await createRig(options);
  onTestFinished(() => rig.close());
  return rig;
}

export async function createRig({
  script = [],
  files = {},
  settings: some,
  provider,
  delimiters = false,
  issues = 3,
  database = databaseHere(),
  lagMs = 0,
  watched = true,
  wrapped = (given) => given,
  alone = true,
  roles = NODE_ROLES,
  beside,
  withoutRuntimes = [],
}: RigOptions): Promise<Rig> {
  const clock = beside?.rig.clock ?? createFakeClock(AT);
  const github = beside?.rig.github ?? createFakeGitHub({ clock, labels: OUR_LABELS, lagMs });
  const repository = beside?.rig.repository ?? github.add(REPOSITORY);
  repository.permissions.set("alice", "write").set("bob", "write").set("eve", "read");
  for (let number = 1; number <= (beside === undefined ? issues : 0); number += 1)
    addIssue(repository, { title: `Feature ${number}`, body: `Do ${number}.`, author: person("alice") });
  const worktrees = createFakeWorktrees({ "README.md": "# Shop", ...files });
  joinGitAndGitHub(worktrees, github, repository);
  const model = scripted({ conversations: [...script] });
  const runtime = createFakeRuntime({ model, clock });
  const runner = createFakeRunner();
  const notices = createFakeNotices();
  const disk = createFakeDisk();
  const operatorFiles = createFakeOperatorFiles(clock);
  const settings = someSettings({ escalation: { label: "needs-human", notify: ["oncall"] }, ...some });
  const others = otherRuntimes(settings, { model, clock, without: withoutRuntimes });
  const base = beside?.rig.store ?? (await storeAt(database, { redact: OF_STORE }));
  const violations: unknown[] = [];
  const check = async (): Promise<void> => {
    violations.push(...(await base.checkInvariants(clock.now())));
  };
  const store: OpenStore = {
    ...base,
    async transaction(work) {
      let moved = false;
      const result = await base.transaction((tables) => {
        const add: typeof tables.transitions.add = (row) => {
          moved = true;
          return tables.transitions.add(row);
        };
        return work({ ...tables, transitions: { ...tables.transitions, add } });
      });
      if (moved && watched) await check();
      return result;
    },
  };
  const logged: Rig["logged"] = [];
  const note = (level: string) => (_: object, message: string) => void logged.push({ level, message });

  let calls = 0;
  const outcomes = new OwnOutcomes();
  function begin(): { engine: Engine; context: EngineContext; life: Life } {
    const life = beginLife({
      onCall: (call) => {
        calls += 1;
        rig.onCall(call);
      },
      onEnd: () => {
        for (const one of [runtime, ...others.values()]) for (const id of one.running) one.kill(id);
      },
    });
    const given = withOwnSettings(
      wrapped({
        store: life.port("store", store),
        github: recordingPort(life.port("github", github)),
        githubRoom: github.room,
        worktrees: life.port("worktrees", worktrees),
        runner: life.port("runner", runner),
        commandEnv: { PATH: "/usr/bin:/bin" },
        runtimes: byName(
          [runtime, ...others.values()].map((one) =>
            life.port("runtime", editing(delimiters ? one : readingOverDelimiters(one), worktrees, life)),
          ),
        ),
        mcpServers: NO_MCP_SERVERS,
        notices: life.port("notices", notices),
        disk,
        operatorFiles,
        clock: life.clock(clock),
        log: { debug: () => {}, info: () => {}, warn: note("warn"), error: note("error") },
        settings,
        provider,
        providers: keyedProviders(settings, OUR_KEY),
        accountKey: undefined,
        ownAccount: DEFAULT_RUNTIME.account,
        identity: { slug: "flotilla", botLogin: BOT.login, botId: BOT.id },
        site: "https://github.com",
        ...WAYS,
        ...(beside === undefined ? {} : { node: beside.node }),
        version: "1.2.3",
        reads: 1,
        alone: alone && beside === undefined,
        roles: new Set(roles),
        publicKey: null,
        redact: OF_ENGINE,
        within: life.within,
        directories: { ...FAKE_DIRECTORIES },
        runningCommands: new Map(),
        secondLookupMs: lagMs === 0 ? 0 : SECOND_LOOKUP_MS,
        crashPoint: (name) => {
          if (!life.over) rig.onCrashPoint(name);
        },
      }),
    );
    const engine = createEngine({ ...given, invariants: base, outcomes });
    const made = {
      changed: () => engine.poke(),
      diskRoom: { refusal: null },
      room: newRoom(),
      nodes: new Nodes(given),
      toolKind: toolKinds(given.runtimes),
      registry: REGISTRY,
    };
    const providerBreaker = new ProviderBreaker({
      ...given,
      ...made,
      asks: (agent) => askedModels(given, given.useOf(agent)),
    });
    return { engine, context: { ...given, ...made, providerBreaker }, life };
  }

  let present: ReturnType<typeof begin> | undefined;
  const rig: Rig = {
    clock,
    store,
    github,
    repository,
    worktrees,
    runtime,
    others,
    runner,
    notices,
    disk,
    operatorFiles,
    outcomes,
    logged,
    deliveries: 0,
    onCrashPoint: () => {},
    onCall: () => {},
    get engine() {
      return (present ?? missing()).engine;
    },
    get context() {
      return (present ?? missing()).context;
    },
    get life() {
      return (present ?? missing()).life;
    },
    async idle() {
      await rig.engine.idle();
      await check();
    },
    async pass(ms) {
      clock.advance(ms);
      await rig.engine.tick();
      await rig.idle();
    },
    async work(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        clock.advance(Math.min(left, STEP_MS));
        await rig.engine.tick();
        // What an agent does meanwhile waits for each answer of a server.
        if (ON_POSTGRES) await rig.quiet();
      }
    },
    async quiet() {
      for (let before = -1; before !== calls; ) {
        before = calls;
        await rig.life.carriedOut("store");
        for (let turns = 0; turns < QUIET_TURNS; turns += 1) await soon();
      }
    },
    async until(what, holds) {
      for (let round = 0; round < 20_000; round += 1) {
        if (await holds()) return;
        await turn();
      }
      throw new Error(`It never came to this: ${what}`);
    },
    async restart() {
      rig.life.end();
      await rig.life.carriedOut("store");
      present = begin();
      await Promise.race([rig.engine.recover(), rig.life.ended]);
      await check();
    },
    async close() {
      rig.life.end();
      if (beside === undefined) await base.close();
      if (violations.length > 0) throw new Error(`broken invariants: ${JSON.stringify(violations)}`);
    },
  };
  present = begin();
  return rig;
}
