import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { control } from "../../../src/cli/control-client.ts";
import { until } from "../../journeys/until.ts";
import { Fleet } from "../fleet/fleet.ts";
import type { FleetNode } from "../fleet/fleet-node.ts";
import { POINTS } from "./points.ts";
import type { ClusterResult } from "./result.ts";
import { type Counts, type Disturbance, scheduleOf } from "./schedule.ts";

export interface ClusterRun extends Counts {
  readonly seed: number;
  readonly nodes: number;
  /** Issues with work, opened one after another while processes are disturbed. */
  readonly issues: number;
  /**
   * Whether each process ends itself at the first point at which none did, until there are no more, and agents and people do all
   * that leads there; else at a few points, and they do little.
   */
  readonly everyPoint: boolean;
  /** How long PostgreSQL is away each time. */
  readonly outageMs: number;
  /** How long everything may take to settle after the last disturbance. */
  readonly settleSeconds: number;
  /** Where it may write; the caller removes it. */
  readonly directory: string;
  readonly say: (line: string) => void;
}

/** An operator acts after each so many disturbances. */
const OPERATE_EVERY = 5;
/** How long after its return a process may still end because the server was away at its start. */
const REFUSED_LATER_MS = 10_000;
/** How long the server goes on beside its standby. */
const BESIDE_STANDBY_MS = 5_000;
/** How long a standby that has taken the address of its server refuses to write. */
const READ_ONLY_MS = 3_000;

/** Runs several processes under load, disturbs them, and returns what is there when everything has settled. */
export async function runCluster(run: ClusterRun): Promise<ClusterResult> {
  const began = performance.now();
  const server = new ServerTimes();
  const armed = (crashed: ReadonlySet<string>) =>
    run.everyPoint ? POINTS.filter((point) => !crashed.has(point)) : [];
  return Fleet.with(
    { ...run, varied: run.everyPoint, expectsRefusal: () => server.isAway, armed },
    async (fleet) => {
      const disturber = new Disturber(run, fleet, server);
      await disturber.disturb();
      await fleet.settle();
      const outcome = await fleet.outcome();
      return { ...outcome, ...disturber.done(), seconds: (performance.now() - began) / 1000 };
    },
  );
}

/** When a process may end because the database's server is away at its start. */
class ServerTimes {
  #awayUntil = 0;

  get isAway(): boolean {
    return Date.now() < this.#awayUntil;
  }

  left(): void {
    this.#awayUntil = Number.POSITIVE_INFINITY;
  }

  back(): void {
    this.#awayUntil = Date.now() + REFUSED_LATER_MS;
  }
}

class Disturber {
  readonly #run: ClusterRun;
  readonly #fleet: Fleet;
  readonly #server: ServerTimes;
  readonly #done = { kills: 0, pauses: 0, outages: 0, promotions: 0 };
  readonly #underWay = new Set<Promise<void>>();

  constructor(run: ClusterRun, fleet: Fleet, server: ServerTimes) {
    this.#run = run;
    this.#fleet = fleet;
    this.#server = server;
  }

  async disturb(): Promise<void> {
    const { run, seed } = { run: this.#run, seed: this.#run.seed };
    const acts = scheduleOf(seed, run, { nodes: run.nodes, points: POINTS });
    const between = acts.length / run.issues;
    let opened = 0;
    for (const [index, act] of acts.entries()) {
      while (opened < run.issues && opened * between <= index) {
        opened += 1;
        await this.#fleet.people.open();
      }
      await pause(act.afterMs);
      if (act.what === "kill" && this.#kills() >= run.kills) continue;
      run.say(`${((index / acts.length) * 100).toFixed(0)} %: ${told(act)}; ${this.#kills()} kills`);
      await this.#act(act);
      if (index % OPERATE_EVERY === 0) {
        await this.#interrupt();
        // A proposal is made once, and the first process of a node ends itself nowhere.
        if (index > acts.length / 5) this.#propose();
      }
    }
    while (opened < run.issues) {
      opened += 1;
      await this.#fleet.people.open();
    }
    await Promise.all(this.#underWay);
  }

  /** An operator interrupts an agent from another machine than that on which it works. */
  async #interrupt(): Promise<void> {
    const [found] = await this.#fleet
      .rows(`SELECT repository.owner || '/' || repository.name || ':' || agent.name AS name, node
        FROM agent JOIN repository ON repository.id = agent.repository_id
        WHERE agent.state = 'ACTIVE' ORDER BY agent.id DESC LIMIT 1`)
      .catch(() => []);
    const from = this.#fleet.nodes.find(({ name, isUp }) => isUp && name !== found?.["node"]);
    if (found === undefined || from === undefined) return;
    this.#ask(from, "/agents/interrupt", { agent: found["name"], text: "Look again.", id: randomUUID() });
  }

  /** An operator has the repository's file proposed, unless a pull request does so already. */
  #propose(): void {
    const node = this.#fleet.nodes.find(({ isUp }) => isUp);
    const body = { repository: "acme/app", again: false, by: "operator", trial: { kind: "skipped" } };
    if (node !== undefined) this.#ask(node, "/onboard", body);
  }

  #ask(node: FleetNode, path: string, body: object): void {
    const asked = control(node.dataDir, path, body)
      // The process that is asked may end before it answers.
      .catch(() => undefined)
      .then(() => void this.#underWay.delete(asked));
    this.#underWay.add(asked);
  }

  #kills(): number {
    return this.#done.kills + this.#fleet.nodes.reduce((sum, { crashed }) => sum + crashed.length, 0);
  }

  async #act(act: Disturbance): Promise<void> {
    const { server } = this.#fleet;
    if (act.what === "kill") {
      const node = await this.#upFrom(act.node);
      const unseen = act.points.filter((point) => !this.#fleet.crashed.has(point));
      // The points that every process passes would end each before it comes to the others.
      node.kill(this.#run.everyPoint ? [] : unseen.length === 0 ? act.points : unseen);
      this.#done.kills += 1;
    } else if (act.what === "pause") {
      const node = await this.#upFrom(act.node, 2);
      const paused = node.pauseFor(act.ms).finally(() => this.#underWay.delete(paused));
      this.#underWay.add(paused);
      this.#done.pauses += 1;
    } else if (act.what === "outage") {
      this.#server.left();
      await server.crash();
      await pause(this.#run.outageMs);
      await server.start();
      this.#server.back();
      this.#done.outages += 1;
    } else {
      // A standby that commits do not wait for yet is a reason to refuse a start, too.
      this.#server.left();
      await server.failOver({
        besideStandby: () => pause(BESIDE_STANDBY_MS),
        whileReadOnly: () => pause(READ_ONLY_MS),
      });
      this.#server.back();
      this.#done.promotions += 1;
    }
  }

  /** Returns that node, or the next one that runs, once at least so many run. */
  #upFrom(first: number, least = 1): Promise<FleetNode> {
    return until("a process runs", () => {
      const up = this.#fleet.nodes.filter(({ isUp }) => isUp);
      if (up.length < least) return undefined;
      const inTurn = this.#fleet.nodes.map(
        (_, index) => this.#fleet.nodes[(first + index) % this.#fleet.nodes.length],
      );
      return inTurn.find((node) => node?.isUp);
    });
  }

  done() {
    const { seed, nodes, outageMs } = this.#run;
    const points = [...this.#fleet.crashed].toSorted();
    return { ...this.#done, seed, nodes, outageSeconds: outageMs / 1000, kills: this.#kills(), points };
  }
}

function told(act: Disturbance): string {
  if (act.what === "kill") return `kill node ${act.node + 1}, then at ${act.points.join(", ")}`;
  return act.what === "pause" ? `pause node ${act.node + 1} for ${act.ms / 1000} s` : act.what;
}
