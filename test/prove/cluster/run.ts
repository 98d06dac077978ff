import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { databaseIn } from "../../../src/adapters/store/registry.ts";
import { control } from "../../../src/cli/control-client.ts";
import { type Stage, setStage } from "../../../src/demo/stage.ts";
import { BUBBLEWRAP_IS_HERE } from "../../adapters/sandbox/bubblewrap-here.ts";
import { COMPILE_CACHE } from "../../compile-cache.ts";
import { until } from "../../journeys/until.ts";
import { type PostgresServer, startPostgres } from "../../postgres/server.ts";
import { clusterScenario, People } from "./load.ts";
import { count, doubles, type Made } from "./made.ts";
import { ClusterNode } from "./nodes.ts";
import { POINTS } from "./points.ts";
import { type ClusterResult, leftOf, lostOf, type Row } from "./result.ts";
import { type Counts, type Disturbance, scheduleOf } from "./schedule.ts";

export interface ClusterRun extends Counts {
  readonly seed: number;
  readonly nodes: number;
  /** Issues with work, opened one after another while processes are disturbed. */
  readonly issues: number;
  /** How long PostgreSQL is away each time. */
  readonly outageMs: number;
  /** How long everything may take to settle after the last disturbance. */
  readonly settleSeconds: number;
  /** Where it may write; the caller removes it. */
  readonly directory: string;
  readonly say: (line: string) => void;
}

/** How long after its return a process may still end because the server was away at its start. */
const REFUSED_LATER_MS = 10_000;
/** How long the server goes on beside its standby. */
const BESIDE_STANDBY_MS = 5_000;
/** How long a standby that has taken the address of its server refuses to write. */
const READ_ONLY_MS = 3_000;
const SECRET = "a-webhook-secret-of-the-cluster-proof";

/** Runs several processes under load, disturbs them, and returns what is there when everything has settled. */
export async function runCluster(run: ClusterRun): Promise<ClusterResult> {
  const began = performance.now();
  const server = await startPostgres();
  const url = `${server.url}/flotilla`;
  await asking(`${server.url}/postgres`, "CREATE DATABASE flotilla");
  const made: Made = new Map();
  const stage = await setStage({
    scenario: clusterScenario(run.issues),
    directory: run.directory,
    confined: BUBBLEWRAP_IS_HERE,
    observe: { response: (seen) => count(made, seen) },
    env: { ...COMPILE_CACHE, FLOTILLA_SECOND_LOOK_MS: "300", DATABASE_URL: url, WEBHOOK_SECRET: SECRET },
  });
  // The stage's own process has made the tables; the nodes are like one another.
  await stage.served().stop();
  const cluster = new Cluster(run, { stage, server, url });
  try {
    await cluster.begin();
    await cluster.disturb();
    await cluster.settle();
    return { ...(await cluster.judge(made)), seconds: (performance.now() - began) / 1000 };
  } finally {
    await cluster.close();
    await stage.close();
    await server.remove();
  }
}

class Cluster {
  readonly #run: ClusterRun;
  readonly #stage: Stage;
  readonly #server: PostgresServer;
  readonly #url: string;
  readonly #nodes: readonly ClusterNode[];
  readonly #people: People;
  readonly #done = { kills: 0, pauses: 0, outages: 0, promotions: 0 };
  readonly #underWay = new Set<Promise<void>>();
  /** Until then a process may end because the server is away at its start. */
  #awayUntil = 0;
  #turn = 0;
  #over = false;
  #answering: Promise<void> = Promise.resolve();

  constructor(run: ClusterRun, given: { stage: Stage; server: PostgresServer; url: string }) {
    this.#run = run;
    this.#stage = given.stage;
    this.#server = given.server;
    this.#url = given.url;
    this.#people = new People(given.stage.github);
    const directory = join(run.directory, "nodes");
    mkdirSync(directory);
    this.#nodes = Array.from(
      { length: run.nodes },
      (_, index) =>
        new ClusterNode(`node-${index + 1}`, {
          directory,
          start: (env) => given.stage.beside(env),
          expectsRefusal: () => Date.now() < this.#awayUntil,
        }),
    );
  }

  async begin(): Promise<void> {
    for (const node of this.#nodes) await node.begin();
    const { github } = this.#stage;
    // As a load balancer does, GitHub's webhooks go to one process after another that runs.
    const balance = () => {
      const up = this.#nodes.filter(({ isUp }) => isUp);
      const url = up[this.#turn++ % up.length]?.url;
      if (url !== undefined && url !== null)
        github.setWebhook({ url: `${url}/api/github/webhooks`, secret: SECRET });
    };
    balance();
    github.webhooks.filter = () => {
      balance();
      return "send";
    };
    this.#answering = this.#answer();
  }

  async #answer(): Promise<void> {
    while (!this.#over) {
      await this.#people.answer();
      await pause(500);
    }
  }

  async disturb(): Promise<void> {
    const { run, seed } = { run: this.#run, seed: this.#run.seed };
    const acts = scheduleOf(seed, run, { nodes: run.nodes, points: POINTS });
    const between = acts.length / run.issues;
    let opened = 0;
    for (const [index, act] of acts.entries()) {
      while (opened < run.issues && opened * between <= index) {
        opened += 1;
        await this.#people.open();
      }
      await pause(act.afterMs);
      if (act.what === "kill" && this.#kills() >= run.kills) continue;
      run.say(`${((index / acts.length) * 100).toFixed(0)} %: ${told(act)}; ${this.#kills()} kills`);
      await this.#act(act);
    }
    while (opened < run.issues) {
      opened += 1;
      await this.#people.open();
    }
    await Promise.all(this.#underWay);
  }

  #kills(): number {
    return this.#done.kills + this.#nodes.reduce((sum, { crashed }) => sum + crashed.length, 0);
  }

  async #act(act: Disturbance): Promise<void> {
    if (act.what === "kill") {
      const node = await this.#upFrom(act.node);
      const hit = new Set(this.#nodes.flatMap(({ crashed }) => crashed));
      const unseen = act.points.filter((point) => !hit.has(point));
      // The points that every process passes would end each before it comes to the others.
      node.kill(unseen.length === 0 ? act.points : unseen);
      this.#done.kills += 1;
    } else if (act.what === "pause") {
      const node = await this.#upFrom(act.node, 2);
      const paused = node.pauseFor(act.ms).finally(() => this.#underWay.delete(paused));
      this.#underWay.add(paused);
      this.#done.pauses += 1;
    } else if (act.what === "outage") {
      this.#awayUntil = Number.POSITIVE_INFINITY;
      await this.#server.crash();
      await pause(this.#run.outageMs);
      await this.#server.start();
      this.#awayUntil = Date.now() + REFUSED_LATER_MS;
      this.#done.outages += 1;
    } else {
      await this.#server.failOver({
        besideStandby: async () => {
          await pause(BESIDE_STANDBY_MS);
          this.#awayUntil = Number.POSITIVE_INFINITY;
        },
        whileReadOnly: () => pause(READ_ONLY_MS),
      });
      this.#awayUntil = Date.now() + REFUSED_LATER_MS;
      this.#done.promotions += 1;
    }
  }

  /** Returns that node, or the next one that runs, once at least so many run. */
  #upFrom(first: number, least = 1): Promise<ClusterNode> {
    return until("a process runs", () => {
      const up = this.#nodes.filter(({ isUp }) => isUp);
      if (up.length < least) return undefined;
      const inTurn = this.#nodes.map((_, index) => this.#nodes[(first + index) % this.#nodes.length]);
      return inTurn.find((node) => node?.isUp);
    });
  }

  /** Waits until nothing is left to do, with all processes at work. */
  async settle(): Promise<void> {
    const { github } = this.#stage;
    const end = Date.now() + this.#run.settleSeconds * 1000;
    let swept = 0;
    while (Date.now() < end) {
      await pause(1000);
      const node = this.#nodes.find(({ isUp }) => isUp);
      if (Date.now() - swept > 20_000 && node !== undefined) {
        swept = Date.now();
        await control(node.dataDir, "/deliveries/sweep").catch(() => undefined);
      }
      await github.webhooks.idle();
      const [{ open } = { open: 1 }] = await this.#rows(`SELECT
        (SELECT count(*) FROM effect WHERE state IN ('pending', 'leased'))
        + (SELECT count(*) FROM delivery WHERE state IN ('pending', 'claimed'))
        + (SELECT count(*) FROM agent WHERE state NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED')) AS open`);
      const [{ done } = { done: 0 }] = await this.#rows("SELECT count(*) AS done FROM agent");
      if (Number(open) === 0 && Number(done) >= this.#people.issues.length) return;
    }
    this.#run.say("not settled in time");
  }

  async judge(made: Made): Promise<Omit<ClusterResult, "seconds">> {
    this.#over = true;
    await this.#answering;
    const { github } = this.#stage;
    const answered = github.webhooks.deliveries().filter(({ statusCode }) => statusCode === 202);
    const guids = new Set(answered.map(({ guid }) => guid));
    const deliveries = await this.#rows("SELECT guid, state, event, lane, lease_node, note FROM delivery");
    const agents = await this.#rows(
      "SELECT issue, state, sleep_reason, reason, held_by FROM agent ORDER BY issue, id",
    );
    const disorder = await this.#rows(`SELECT lane, seq FROM (SELECT lane, seq, settled_at,
        max(settled_at) OVER (PARTITION BY lane ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM delivery) AS one WHERE settled_at < before`);
    const reader = await databaseIn({
      variables: { DATABASE_URL: this.#url },
      dataDir: this.#run.directory,
    }).openReadOnly();
    const violations = await reader.checkInvariants(Date.now());
    await reader.close();
    return {
      ...this.#done,
      seed: this.#run.seed,
      nodes: this.#run.nodes,
      outageSeconds: this.#run.outageMs / 1000,
      kills: this.#kills(),
      points: [...new Set(this.#nodes.flatMap(({ crashed }) => crashed))].toSorted(),
      issues: this.#people.issues.length,
      acknowledged: guids.size,
      lost: lostOf(guids, deliveries),
      left: leftOf(this.#people.issues, agents),
      made: [...made.values()].reduce((sum, times) => sum + times, 0),
      twice: doubles(made),
      violations: violations.map((violation) => JSON.stringify(violation)),
      disorder: disorder.map((row) => JSON.stringify(row)),
      forbidden: github.violations().map((violation) => JSON.stringify(violation)),
      surprises: this.#nodes.flatMap(({ surprises }) => surprises),
    };
  }

  async close(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#nodes.map((node) => node.close()));
    await this.#answering;
  }

  async #rows(sql: string): Promise<readonly Row[]> {
    return asking(this.#url, sql);
  }
}

function told(act: Disturbance): string {
  if (act.what === "kill") return `kill node ${act.node + 1}, then at ${act.points.join(", ")}`;
  return act.what === "pause" ? `pause node ${act.node + 1} for ${act.ms / 1000} s` : act.what;
}

async function asking(url: string, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows;
  } finally {
    await client.end();
  }
}
