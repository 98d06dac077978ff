import type { OpenStore } from "../../src/adapters/store/database.ts";
import type { DomainEvent } from "../../src/domain/events/domain-event.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { stateLabel } from "../../src/domain/tasks/state-label.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";
import { joinGit, joinGitAndGitHub } from "../engine/join-git-and-github.ts";
import { AT } from "../factories/moment.ts";
import { createFakeClock, type FakeClock } from "../fakes/clock.ts";
import { createFakeGitHub, type FakeGitHub } from "../fakes/github.ts";
import { addIssue, type FakeRepository, person } from "../fakes/github-world.ts";
import { createFakeRemote, createFakeWorktreesOf, type FakeWorktrees } from "../fakes/worktrees.ts";
import type { Chance } from "./chance.ts";
import { Leases } from "./leases.ts";
import { createMachine, type Machine } from "./machine.ts";
import { randomModel } from "./model.ts";
import type { Outside } from "./ports.ts";
import { beginProcess } from "./process.ts";
import { settingsOf } from "./settings.ts";
import { emptyStore } from "./store.ts";
import { Turns } from "./turns.ts";

const REPOSITORY = { id: 7, owner: "acme", name: "shop", installationId: 5 };
const ISSUES = 5;
/** How long GitHub's lists lag. */
const LAG_MS = 10_000;
/** How often others may come between two calls of the database that one process makes alone. */
const YIELDING_ALONE = 0.04;

const LABELS = {
  "needs-human": "d93f0b",
  ...Object.fromEntries(TASK_STATES.map((state) => [stateLabel(state), "ededed"])),
};

/** How often a machine that stopped goes on just when another one has begun with what it was at. */
const BACK_IN_TIME = 0.8;

/** Engines on a real database in memory, and a world outside that is made of chance. */
export interface World extends Outside {
  readonly turns: Turns;
  readonly clock: FakeClock;
  readonly store: OpenStore;
  readonly repository: FakeRepository;
  /** Of any machine: what people do there, they do on the server that all share. */
  readonly worktrees: FakeWorktrees;
  readonly settings: Settings;
  /** What the webhooks that GitHub has sent tell, by guid. */
  readonly told: Map<string, DomainEvent>;
  deliveries: number;
  /** Who is at which effects and deliveries. */
  readonly leases: Leases;
  readonly machines: readonly Machine[];
  /** How often one of them stopped for longer than its lease and went on. */
  pauses: number;
  /** Errors that the engines logged of themselves; there shall be none. */
  readonly errors: string[];
  /** A process begins there, on what the database holds. */
  begin(machine: Machine): void;
  /** kill -9 of the process there, now. */
  crash(machine: Machine): void;
}

/** What all processes of a run find as those before left it. */
export interface Parts {
  store: OpenStore;
  readonly github: FakeGitHub;
  readonly repository: FakeRepository;
}

/** What a run is made of, beside its chance. */
export interface WorldOptions {
  /** Machines on the one database. */
  readonly engines: number;
  readonly note: (line: string) => void;
  readonly sabotage: (parts: Parts) => void;
}

export function createWorld(chance: Chance, { engines, note, sabotage }: WorldOptions): World {
  const clock = createFakeClock(AT);
  const turns = new Turns();
  const github = createFakeGitHub({ clock, labels: LABELS, lagMs: LAG_MS });
  const repository = github.add(REPOSITORY);
  repository.permissions.set("alice", "write").set("bob", "write").set("eve", "read");
  for (let number = 1; number <= ISSUES; number += 1)
    addIssue(repository, { title: `Feature ${number}`, body: `Do ${number}.`, author: person("alice") });
  const remote = createFakeRemote({ "README.md": "# Shop" });
  const model = randomModel(chance);
  const machineOf = (name: string, worktrees: FakeWorktrees) =>
    createMachine(name, { worktrees, model, clock, turns });
  const worktrees = createFakeWorktreesOf(remote);
  joinGitAndGitHub(worktrees, github, repository);
  const machines = [machineOf("sim-1", worktrees)];
  for (let number = 2; number <= engines; number += 1) {
    const further = createFakeWorktreesOf(remote);
    joinGit(further, repository);
    machines.push(machineOf(`sim-${number}`, further));
  }
  const parts: Parts = { store: emptyStore(), github, repository };
  sabotage(parts);
  const world: World = {
    chance,
    turns,
    note,
    now: () => clock.now(),
    faults: 0.1,
    yielding: engines === 1 ? YIELDING_ALONE : 1,
    clock,
    store: parts.store,
    repository,
    worktrees,
    settings: settingsOf(chance),
    told: new Map<string, DomainEvent>(),
    deliveries: 0,
    leases: new Leases((name) => {
      const machine = machines.find((one) => one.name === name);
      if (machine === undefined || machine.heldUntil === null || !chance.happens(BACK_IN_TIME)) return;
      note(`  another has what ${name} was at when it stopped`);
      machine.heldUntil = clock.now();
    }),
    machines,
    pauses: 0,
    errors: [],
    begin(machine) {
      machine.process = beginProcess(world, machine, parts);
    },
    crash(machine) {
      const { process, runtime } = machine;
      if (process === undefined) return;
      process.life.over = true;
      machine.process = undefined;
      machine.goOn();
      for (const id of runtime.running) runtime.kill(id);
      // What was on its way to GitHub may arrive all the same.
      for (const one of turns.takeOver()) if (ON_THE_WIRE.test(one.name) && chance.happens(0.3)) one.go();
    },
  };
  for (const machine of machines) world.begin(machine);
  return world;
}

/** Calls that somebody else carries out, whatever becomes of us. */
const ON_THE_WIRE = /^(github\.|worktrees\.push$)/;
