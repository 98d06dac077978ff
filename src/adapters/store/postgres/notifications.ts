import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { ChangeListener, Changes } from "../database.ts";
import { connectionTo, inOurWords } from "./connect.ts";
import type { Location } from "./location.ts";

const CHANNEL = "flotilla";
/** A server that does not answer within this time counts as lost. */
const ANSWER_MS = 10_000;
/** First and longest pause before a lost connection is opened again. */
const FIRST_MS = 100;
const LONGEST_MS = 10_000;

interface Line {
  readonly client: Client;
  readonly lose: (error: unknown) => void;
}

/**
 * Tells and hears by NOTIFY and LISTEN, on one connection beside the pool's. A commit with a NOTIFY in it holds a lock of
 * the whole server while it waits for the disk. So each NOTIFY is a statement of its own, sent after the commit that it
 * announces: it writes nothing, so it does not wait for the disk. One NOTIFY announces all commits made before it is sent.
 */
export class Notifications implements Changes {
  readonly #location: Location;
  readonly #closing = new AbortController();
  #listening = Promise.resolve();
  /** Undefined while there is no connection that listens. */
  #line: Line | undefined;
  #isWanted = false;
  #isSending = false;

  constructor(location: Location) {
    this.#location = location;
  }

  tell(): void {
    this.#isWanted = true;
    void this.#send();
  }

  listen(listener: ChangeListener): void {
    this.#listening = this.#keepListening(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("this store is closed"));
    await this.#listening;
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#isWanted && this.#line !== undefined) {
      const { client, lose } = this.#line;
      this.#isWanted = false;
      await client.query(`NOTIFY ${CHANNEL}`).catch(lose);
    }
    this.#isSending = false;
  }

  async #keepListening({ told, lost, back }: ChangeListener): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs = FIRST_MS;
    let isLost = false;
    const heard = () => {
      pauseMs = FIRST_MS;
      if (isLost) back();
      isLost = false;
      told();
    };
    while (!signal.aborted) {
      const error = await this.#listenUntilLost(heard);
      if (signal.aborted) return;
      if (!isLost) lost(inOurWords(error, this.#location));
      isLost = true;
      await pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, LONGEST_MS);
    }
  }

  /** Resolves with why it hears nothing any more. */
  async #listenUntilLost(heard: () => void): Promise<unknown> {
    const { promise: over, resolve: lose } = Promise.withResolvers<unknown>();
    const { signal } = this.#closing;
    const close = () => lose(signal.reason);
    signal.addEventListener("abort", close, { once: true });
    const client = new Client({ ...connectionTo(this.#location), query_timeout: ANSWER_MS });
    client.on("error", lose);
    client.on("end", () => lose(new Error("Connection terminated by the server")));
    const begin = async () => {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      client.on("notification", ({ processId }) => {
        if (processId !== rows[0]?.pid) heard();
      });
      await client.query(`LISTEN ${CHANNEL}`);
      this.#line = { client, lose };
      // What was told meanwhile, here or elsewhere, did not arrive.
      heard();
      void this.#send();
    };
    begin().catch(lose);
    const error = await over;
    this.#line = undefined;
    signal.removeEventListener("abort", close);
    await client.end().catch(() => {});
    return error;
  }
}
