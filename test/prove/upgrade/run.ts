import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { until } from "../../journeys/until.ts";
import { randomOf, shuffled } from "../../random.ts";
import { Fleet } from "../fleet/fleet.ts";
import type { FleetNode } from "../fleet/fleet-node.ts";
import { checkOutOld, NEW_MAIN } from "./old-version.ts";
import { ReadyNodes } from "./ready-nodes.ts";
import type { Replacement, UpgradeResult } from "./result.ts";

export interface UpgradeRun {
  readonly seed: number;
  readonly nodes: number;
  /** How long processes are replaced under load: there and back at least once, and then again until the time is over; at the end to this version. */
  readonly minutes: number;
  /** How long everything may take to settle after the last replacement. */
  readonly settleSeconds: number;
  /** Where it may write; the caller removes it. */
  readonly directory: string;
  readonly say: (line: string) => void;
}

/** How often people ask for the status of an issue. */
const ASK_MS = 15_000;
/** How long the load goes on between two replacements. */
const BETWEEN_MS = { least: 3_000, most: 12_000 } as const;
/** The least time from one replacement to the next one, of whose issues the model must know. */
const LEAST_MS = 10_000;
/** How long people wait for an agent to be at work before they open another issue. */
const WORK_SECONDS = 10;
/** How many issues people open at most, until an agent is at work on a certain one. */
const MOST_TRIES = 18;
const runs = promisify(execFile);

/** Replaces processes of an older version by this one, and back, under load; returns what is there when everything has settled. */
export async function runUpgrade(run: UpgradeRun): Promise<UpgradeResult> {
  const began = performance.now();
  const oldMain = checkOutOld(run.directory);
  const ready = new ReadyNodes();
  const most = 3 * run.nodes + (run.minutes * 60_000) / LEAST_MS;
  const issues = run.nodes * Math.ceil(most);
  const given = { ...run, issues, main: oldMain, isReady: (node: FleetNode) => ready.has(node) };
  return Fleet.with(given, async (fleet) => {
    await ready.begin(fleet.nodes);
    try {
      const replacements = await new Upgrader(run, fleet, oldMain).run();
      await fleet.settle();
      const outcome = await fleet.outcome();
      const refused = fleet.stage.github.webhooks.deliveries().filter(({ statusCode }) => statusCode !== 202);
      const { seed, nodes } = run;
      const seconds = (performance.now() - began) / 1000;
      const gapMs = ready.longestGapMs;
      return { ...outcome, seed, nodes, replacements, gapMs, refused: refused.length, seconds };
    } finally {
      await ready.end();
    }
  });
}

class Upgrader {
  readonly #run: UpgradeRun;
  readonly #fleet: Fleet;
  readonly #oldMain: string;
  readonly #random: () => number;
  #over = false;

  constructor(run: UpgradeRun, fleet: Fleet, oldMain: string) {
    this.#run = run;
    this.#fleet = fleet;
    this.#oldMain = oldMain;
    this.#random = randomOf(run.seed);
  }

  async run(): Promise<readonly Replacement[]> {
    const people = this.#people();
    try {
      return await this.#replaceAll();
    } finally {
      this.#over = true;
      await people;
    }
  }

  /** People ask how issues stand, until all processes are replaced. */
  async #people(): Promise<void> {
    while (!this.#over) {
      await this.#fleet.people.askForStatus(this.#random());
      for (let wait = 0; wait < ASK_MS && !this.#over; wait += 500) await pause(500);
    }
  }

  async #replaceAll(): Promise<readonly Replacement[]> {
    const { minutes } = this.#run;
    const end = Date.now() + minutes * 60_000;
    const done: Replacement[] = [];
    const replaceEach = async (way: Replacement["way"]) => {
      for (const node of shuffled(this.#fleet.nodes, this.#random)) {
        await pause(BETWEEN_MS.least + this.#random() * (BETWEEN_MS.most - BETWEEN_MS.least));
        done.push(await this.#replace(node, way));
      }
    };
    do {
      await replaceEach("upgrade");
      await replaceEach("back");
    } while (Date.now() < end);
    // What is left is done by this version: faults of the old one are not what is proved.
    await replaceEach("upgrade");
    return done;
  }

  async #replace(node: FleetNode, way: Replacement["way"]): Promise<Replacement> {
    const { stage } = this.#fleet;
    const agents = await this.#workOn(node);
    const [{ last } = { last: 0 }] = await this.#fleet.rows(
      "SELECT coalesce(max(id), 0) AS last FROM transition",
    );
    const calls = stage.model.brokenOff.length;
    const began = performance.now();
    const said = way === "back" ? await this.#drain(node) : "";
    const drainMs = way === "back" ? performance.now() - began : null;
    const stopMs = await node.replace(way === "back" ? this.#oldMain : NEW_MAIN);
    const rests = await this.#fleet.rows(`SELECT reason FROM transition
      WHERE id > ${Number(last)} AND machine = 'agent' AND to_state = 'SLEEPING'`);
    const replaced: Replacement = {
      node: node.name,
      way,
      agents,
      drainMs,
      said,
      stopMs,
      brokenOff: stage.model.brokenOff.length - calls,
      rests: rests.map(({ reason }) => String(reason)),
    };
    this.#run.say(JSON.stringify(replaced));
    return replaced;
  }

  /** People open issues until an agent is at work on the node, and returns how many are. */
  async #workOn(node: FleetNode): Promise<number> {
    const { people } = this.#fleet;
    // The old version leaves an agent to the process that took its webhook; this one chooses the process with the fewest.
    for (let tries = 1; ; tries += 1) {
      await people.open();
      const work = until(`an agent is at work on ${node.name}`, () => this.#agentsOf(node), WORK_SECONDS);
      if (tries === MOST_TRIES) return work;
      const agents = await work.catch(() => 0);
      if (agents > 0) return agents;
    }
  }

  async #agentsOf({ name }: FleetNode): Promise<number | undefined> {
    const rows = await this.#fleet.rows(`SELECT id FROM agent WHERE state = 'ACTIVE' AND node = '${name}'`);
    return rows.length === 0 ? undefined : rows.length;
  }

  /** Drains as an operator does, and returns what the command says. */
  async #drain({ dataDir }: FleetNode): Promise<string> {
    const env = { PATH: process.env["PATH"] ?? "", FLOTILLA_DATA_DIR: dataDir };
    const { stdout } = await runs(process.execPath, [NEW_MAIN, "drain", "--after-turn"], {
      cwd: this.#run.directory,
      env,
    });
    return stdout.trim();
  }
}
