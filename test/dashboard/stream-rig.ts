import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { createApi } from "../../src/dashboard/api/api.ts";
import { EventStreams } from "../../src/dashboard/api/event-streams.ts";
import { newAgentRecord } from "../../src/domain/agents/agent.ts";
import type { RunEvent } from "../../src/domain/kernel/run-event.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { TokenGate } from "../../src/http/token-gate.ts";
import { createFakeClock, type FakeClock } from "../fakes/clock.ts";
import { pageParts } from "./page-parts.ts";

const TOKEN = "a token of the tests";
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** One block of a stream. */
interface Block {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** A reader of a stream, as it came so far. */
export interface Reader {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly blocks: () => readonly Block[];
  /** Ids of the events told, in order. */
  readonly ids: () => readonly number[];
  readonly text: () => string;
  readonly ended: () => boolean;
  /** Reads on, after a pause. */
  resume(): void;
  /** Breaks the line. */
  drop(): void;
}

/** A real server over a real database, with a clock that the test moves. */
export class StreamRig {
  readonly clock: FakeClock = createFakeClock(0);
  store!: OpenStore;
  streams!: EventStreams;
  #server!: Server;
  readonly #path: string;

  constructor(path = ":memory:") {
    this.#path = path;
  }

  async start(): Promise<void> {
    this.store = await openStore({ path: this.#path });
    this.streams = new EventStreams({ store: this.store, clock: this.clock, log: quiet });
    const api = createApi({
      isUrgent: () => false,
      store: this.store,
      events: this.streams,
      gate: new TokenGate(TOKEN, { now: () => 0, log: quiet }),
      notReady: () => Promise.resolve(null),
      limitWaits: () => [],
      page: pageParts(),
      clock: createFakeClock(0),
      log: quiet,
    });
    this.#server = createHttpServer([api], { log: quiet }).listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.streams.close();
    this.#server.closeAllConnections();
    await new Promise<void>((done) => {
      this.#server.close(() => done());
    });
    await this.store.close();
  }

  /** An agent of issue n in acme/app. */
  async agent(issue: number): Promise<number> {
    await this.store.repositories.put({
      id: 7,
      owner: "acme",
      name: "app",
      installationId: 1,
      private: true,
      defaultBranch: "main",
    });
    const name = `feat-dev-issue-${issue}`;
    const record = { ...newAgentRecord, repositoryId: 7, name, role: "feat-dev", issue };
    return (await this.store.records.insert("agent", record)).id;
  }

  async add(agentId: number | null, ...events: readonly RunEvent[]): Promise<void> {
    await this.store.transaction(async ({ runEvents }) => {
      for (const event of events)
        await runEvents.add({ at: this.clock.now(), agentId, repositoryId: 7, issue: 1, event });
    });
  }

  /** Resolves with the first bytes. With `paused` it reads nothing more after them. */
  async read(path: string, headers: Record<string, string> = {}, paused = false): Promise<Reader> {
    const { port }: AddressInfo = JSON.parse(JSON.stringify(this.#server.address()));
    const asked = request({
      port,
      path,
      agent: false,
      headers: {
        ...(headers["cookie"] === undefined ? { authorization: `Bearer ${TOKEN}` } : {}),
        ...headers,
      },
    });
    asked.on("error", () => {}).end();
    const [response]: IncomingMessage[] = await once(asked, "response");
    if (response === undefined) throw new Error("there was no answer");
    let text = "";
    let ended = false;
    response
      .on("error", () => {})
      .once("close", () => {
        ended = true;
      });
    const resume = (): void =>
      void response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
    if (!paused) resume();
    const blocks = () => text.split("\n\n").slice(0, -1).map(parse);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      blocks,
      ids: () => blocks().flatMap(({ id, data }) => (data === undefined ? [] : [Number(id)])),
      text: () => text,
      ended: () => ended,
      resume,
      drop: () => asked.destroy(),
    };
  }

  /** Lets time pass, a little with each turn of the event loop, until it holds. */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (let round = 0; round < 5000; round += 1) {
      if (holds()) return;
      this.clock.advance(50);
      await turn();
    }
    throw new Error(`It never came to this: ${what}`);
  }
}

function parse(block: string): Block {
  const fields = block.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields);
}
