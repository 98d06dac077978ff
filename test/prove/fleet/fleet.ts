import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { killMarkedProcesses } from "../../../src/adapters/sandbox/marked-processes.ts";
import { databaseIn } from "../../../src/adapters/store/registry.ts";
import { control } from "../../../src/cli/control-client.ts";
import { type Stage, setStage } from "../../../src/demo/stage.ts";
import { BUBBLEWRAP_IS_HERE } from "../../adapters/sandbox/bubblewrap-here.ts";
import { COMPILE_CACHE } from "../../compile-cache.ts";
import { type PostgresServer, startPostgres } from "../../postgres/server.ts";
import { FleetNode } from "./fleet-node.ts";
import { fleetScenario } from "./load.ts";
import { count, doubles, type Made } from "./made.ts";
import { leftOf, lostOf, type Outcome, type Row } from "./outcome.ts";
import { People } from "./people.ts";
import { LIB } from "./stories.ts";

export interface FleetGiven {
  readonly nodes: number;
  /** The most issues that people may open: the model knows what to say on each. */
  readonly issues: number;
  /** How long everything may take to settle. */
  readonly settleSeconds: number;
  /** Where it may write; the caller removes it. */
  readonly directory: string;
  readonly say: (line: string) => void;
  /** The program of the first processes, of another version. */
  readonly main?: string;
  /** Whether a process may end at its start, because it cannot reach the database. */
  readonly expectsRefusal?: () => boolean;
  /** See `FleetNode`: nobody ends itself where it is left out. `crashed`: where one has done so. */
  readonly armed?: (crashed: ReadonlySet<string>) => readonly string[];
  /** Whether agents and people do more than one thing, so that more kinds of effects occur. */
  readonly varied?: boolean;
  /** Whether the load balancer sends webhooks to the node, beside that its process runs. */
  readonly isReady?: (node: FleetNode) => boolean;
}

const SECRET = "a-webhook-secret-of-the-fleet-proof";

/** A receiver of notices, which takes each. */
async function aReceiver(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

/** Several Flotilla processes on one PostgreSQL server, between a stand-in for GitHub, a scripted model and people. */
export class Fleet {
  readonly nodes: readonly FleetNode[];
  readonly people: People;
  readonly stage: Stage;
  readonly server: PostgresServer;
  readonly #given: FleetGiven;
  readonly #url: string;
  readonly #made: Made;
  #turn = 0;
  /** How many requests of the model have been looked at, and the issues whose agents have asked it and are to die. */
  #read = 0;
  readonly #dying = new Set<number>();
  #over = false;
  #answering: Promise<void> = Promise.resolve();

  private constructor(
    given: FleetGiven,
    on: { readonly stage: Stage; readonly server: PostgresServer; readonly url: string; readonly made: Made },
  ) {
    this.#given = given;
    this.stage = on.stage;
    this.server = on.server;
    this.#url = on.url;
    this.#made = on.made;
    this.people = new People(on.stage.github, given.varied ?? false);
    const directory = join(given.directory, "nodes");
    mkdirSync(directory);
    this.nodes = Array.from(
      { length: given.nodes },
      (_, index) =>
        new FleetNode(`node-${index + 1}`, {
          directory,
          main: given.main,
          start: (env, main) => on.stage.beside(env, main),
          expectsRefusal: given.expectsRefusal ?? (() => false),
          armed: () => given.armed?.(this.crashed) ?? [],
        }),
    );
  }

  /** The names of the crash points at which processes have ended themselves. */
  get crashed(): ReadonlySet<string> {
    return new Set(this.nodes.flatMap(({ crashed }) => crashed));
  }

  /** Starts the processes, runs `work` beside them, and ends them. */
  static async with<T>(given: FleetGiven, work: (fleet: Fleet) => Promise<T>): Promise<T> {
    const server = await startPostgres();
    const url = `${server.url}/flotilla`;
    await asking(`${server.url}/postgres`, "CREATE DATABASE flotilla");
    const made: Made = new Map();
    const told = await aReceiver();
    const stage = await setStage({
      scenario: fleetScenario(given.issues, given.varied ?? false),
      directory: given.directory,
      confined: BUBBLEWRAP_IS_HERE,
      beside: given.varied === true ? [{ name: LIB.name }] : [],
      observe: { response: (seen) => count(made, seen) },
      env: {
        ...COMPILE_CACHE,
        FLOTILLA_SECOND_LOOK_MS: "300",
        DATABASE_URL: url,
        WEBHOOK_SECRET: SECRET,
        CHAT_URL: told.url,
      },
      main: given.main,
    });
    // The stage's own process has made the tables; the nodes are like one another.
    await stage.served().stop();
    const fleet = new Fleet(given, { stage, server, url, made });
    try {
      await fleet.#begin();
      return await work(fleet);
    } finally {
      await fleet.#close();
      await stage.close();
      told.close();
      await server.remove();
    }
  }

  async #begin(): Promise<void> {
    for (const node of this.nodes) await node.begin();
    const { github } = this.stage;
    // As a load balancer does, GitHub's webhooks go to one process after another that runs.
    const balance = () => {
      const up = this.nodes.filter((node) => node.isUp && (this.#given.isReady?.(node) ?? true));
      const url = up[this.#turn++ % up.length]?.url;
      if (url !== undefined && url !== null)
        github.setWebhook({ url: `${url}/api/github/webhooks`, secret: SECRET });
    };
    balance();
    await this.people.prepare(this.#given.issues);
    github.webhooks.filter = () => {
      balance();
      return "send";
    };
    this.#answering = this.#answer();
  }

  async #answer(): Promise<void> {
    while (!this.#over) {
      await this.people.act();
      await this.#endProcesses();
      await pause(500);
    }
  }

  /** Kills the process of a first attempt that is to fail whenever it has asked the model, as a system without memory does. */
  async #endProcesses(): Promise<void> {
    const { requests } = this.stage.model;
    const fresh = requests
      .slice(this.#read)
      .flatMap(({ messages }) => messages.map(({ content }) => content));
    this.#read = requests.length;
    for (const { issue, title } of this.people.dying())
      if (fresh.some((content) => content.includes(title))) this.#dying.add(issue);
    if (this.#dying.size === 0) return;
    const agents = await this.rows(`SELECT agent.id, session_id FROM agent
      JOIN repository ON repository.id = agent.repository_id
      WHERE repository.name = 'app' AND state = 'ACTIVE' AND attempt = 1 AND issue IN (${[...this.#dying].join(", ")})`)
      // The server may be away, which is no mistake of this statement.
      .catch((error: unknown) => {
        if (error instanceof DatabaseError && error.code?.startsWith("42") === true) throw error;
        return [];
      });
    const marks = agents.flatMap((agent) =>
      this.nodes.map(
        ({ dataDir }) => `${String(agent["session_id"])}@${dataDir}/sessions/${String(agent["id"])}`,
      ),
    );
    if (marks.length > 0 && (await killMarkedProcesses(marks)) > 0) this.#dying.clear();
  }

  /** Waits until nothing is left to do, with all processes at work. */
  async settle(): Promise<void> {
    const { github } = this.stage;
    const end = Date.now() + this.#given.settleSeconds * 1000;
    let swept = 0;
    while (Date.now() < end) {
      await pause(1000);
      const node = this.nodes.find(({ isUp }) => isUp);
      if (Date.now() - swept > 20_000 && node !== undefined) {
        swept = Date.now();
        await control(node.dataDir, "/deliveries/sweep").catch(() => undefined);
      }
      await github.webhooks.idle();
      const [{ open } = { open: 1 }] = await this.rows(`SELECT
        (SELECT count(*) FROM effect WHERE state IN ('pending', 'leased') AND payload::jsonb -> 'notBefore' IS NULL)
        + (SELECT count(*) FROM delivery WHERE state IN ('pending', 'claimed'))
        + (SELECT count(*) FROM agent WHERE state NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED')) AS open`);
      const [{ done } = { done: 0 }] = await this.rows("SELECT count(*) AS done FROM agent");
      const isDone = Number(done) >= this.people.issues.length && this.people.unfinished().length === 0;
      if (Number(open) === 0 && isDone) return;
    }
    this.#given.say("not settled in time");
  }

  /** Returns what is there now. */
  async outcome(): Promise<Outcome> {
    this.#over = true;
    await this.#answering;
    const { github } = this.stage;
    const { issues } = this.people;
    const answered = github.webhooks.deliveries().filter(({ statusCode }) => statusCode === 202);
    const guids = new Set(answered.map(({ guid }) => guid));
    const deliveries = await this.rows("SELECT guid, state, event, lane, lease_node, note FROM delivery");
    const agents =
      await this.rows(`SELECT repository.name AS repository, issue, role, state, sleep_reason, reason, held_by
      FROM agent JOIN repository ON repository.id = agent.repository_id ORDER BY agent.id`);
    const disorder = await this.rows(`SELECT lane, seq FROM (SELECT lane, seq, settled_at,
        max(settled_at) OVER (PARTITION BY lane ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
        FROM delivery) AS one WHERE settled_at < before`);
    const database = databaseIn({
      variables: { DATABASE_URL: this.#url },
      dataDir: this.#given.directory,
    });
    const reader = await database.openReadOnly();
    const violations = await reader.checkInvariants(Date.now());
    await reader.close();
    return {
      issues: issues.length,
      acknowledged: guids.size,
      lost: lostOf(guids, deliveries),
      left: [...leftOf(issues, agents), ...this.people.unfinished()],
      made: [...this.#made.values()].reduce((sum, times) => sum + times, 0),
      twice: doubles(this.#made),
      violations: violations.map((violation) => JSON.stringify(violation)),
      disorder: disorder.map((row) => JSON.stringify(row)),
      forbidden: github.violations().map((violation) => JSON.stringify(violation)),
      surprises: this.nodes.flatMap(({ surprises }) => surprises),
    };
  }

  rows(sql: string): Promise<readonly Row[]> {
    return asking(this.#url, sql);
  }

  async #close(): Promise<void> {
    this.#over = true;
    await Promise.all(this.nodes.map((node) => node.close()));
    await this.#answering;
  }
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
