import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { RunEventRow } from "../../domain/kernel/rows.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Store } from "../../domain/ports/store.ts";
import { withTimeout } from "../../time/with-timeout.ts";
import type { Rights } from "../auth/viewer.ts";
import { findAgent } from "./agent-view.ts";
import { runEventJson } from "./json.ts";

/** How often a stream polls the database for new events. */
const LOOK_MS = 250;
/** A stream without events sends a comment this often, so that both ends notice a broken connection. */
const HEARTBEAT_MS = 15_000;
/** A reader that accepts no data for this long is disconnected; it can resume at its cursor. */
const PATIENCE_MS = 30_000;
/** Rows read at once. They are written one by one, each after the reader has accepted the previous one. */
const BATCH = 100;
const MOST_STREAMS = 64;

/** What one reader wants: events after the cursor, of one agent or of all. */
export interface Wanted {
  readonly after: number;
  readonly agentId: number | null;
  /** Checked for each event, so that a person who loses the permission gets no more events. */
  readonly mayRead: (repositoryId: number) => Promise<boolean>;
  /** Checked at each heartbeat, so that streams end with their sign-in. */
  readonly mayStay: () => Promise<boolean>;
}

/**
 * The open event streams. Each polls the database with its own cursor, so a reader gets every event exactly once, and
 * no events are buffered in memory for a slow reader.
 */
export class EventStreams {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #open = new Map<ServerResponse, () => void>();
  #closed = false;

  constructor(parts: { store: Store; clock: Clock; log: Log }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  /** Opens a stream. Returns false if there are too many or Flotilla is shutting down; then the caller answers. */
  open(response: ServerResponse, wanted: Wanted): boolean {
    if (this.#closed || this.#open.size >= MOST_STREAMS) return false;
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // Keeps proxies from buffering the response.
      "x-accel-buffering": "no",
    });
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    this.#open.set(response, leave);
    response.once("close", () => {
      this.#open.delete(response);
      leave();
    });
    // A reader that disconnects in the middle is not an error of ours.
    response.on("error", () => response.destroy());
    this.#follow(response, wanted, gone).catch((error: unknown) => {
      this.#log.error({ error: messageOf(error) }, "event stream failed");
      response.destroy();
    });
    return true;
  }

  /** Ends all streams and refuses new ones. */
  close(): void {
    this.#closed = true;
    for (const [response, leave] of this.#open) {
      leave();
      response.end();
    }
  }

  async #follow(
    response: ServerResponse,
    { after, agentId, mayRead, mayStay }: Wanted,
    gone: Promise<void>,
  ): Promise<void> {
    let cursor = after;
    let spoke = this.#clock.now();
    let asked = spoke;
    // Sent at once, so that a reader that loses the connection before the first event still knows its cursor.
    let open = await this.#write(response, `retry: 2000\nid: ${cursor}\n\n`, gone);
    while (open && this.#open.has(response) && !this.#closed) {
      const rows = await this.#store.runEvents.after(cursor, { limit: BATCH, agentId });
      for (const { id, block } of await eventBlocks(this.#store, await allowed(rows, mayRead))) {
        if (!open) return;
        open = await this.#write(response, block, gone);
        cursor = id;
        spoke = this.#clock.now();
      }
      // Advances also past events that this reader may not see.
      cursor = rows.at(-1)?.id ?? cursor;
      if (this.#clock.now() - asked >= HEARTBEAT_MS) {
        if (!(await mayStay())) return void response.end();
        asked = this.#clock.now();
      }
      if (rows.length === BATCH) continue;
      if (this.#clock.now() - spoke >= HEARTBEAT_MS) {
        open = await this.#write(response, ": nothing new\n\n", gone);
        spoke = this.#clock.now();
      }
      await this.#within(LOOK_MS, gone);
    }
  }

  /** Resolves to true when the reader can accept more; to false if it is gone or was disconnected. */
  async #write(response: ServerResponse, text: string, gone: Promise<void>): Promise<boolean> {
    if (response.writableEnded || response.destroyed) return false;
    if (response.write(text)) return true;
    const drained = new Promise<void>((resolve) => {
      response.once("drain", resolve);
    });
    if (await this.#within(PATIENCE_MS, Promise.race([drained, gone]))) return !response.destroyed;
    response.destroy();
    return false;
  }

  /** Returns whether the promise resolved within `ms`. */
  #within(ms: number, awaited: Promise<void>): Promise<boolean> {
    const came = awaited.then(() => true);
    return withTimeout(this.#clock, ms, came, () => false);
  }
}

/** Returns the rows of repositories that the viewer may read. Checks each repository once. */
async function allowed(
  rows: readonly RunEventRow[],
  mayRead: Wanted["mayRead"],
): Promise<readonly RunEventRow[]> {
  const ids = [...new Set(rows.map(({ repositoryId }) => repositoryId))];
  const may = new Map(await Promise.all(ids.map(async (id) => [id, await mayRead(id)] as const)));
  return rows.filter(({ repositoryId }) => may.get(repositoryId) === true);
}

/**
 * Formats rows as blocks of `text/event-stream`, in order. JSON contains no line breaks, so one `data:` line is enough.
 */
async function eventBlocks(
  store: Store,
  rows: readonly RunEventRow[],
): Promise<readonly { readonly id: number; readonly block: string }[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.flatMap(({ agentId }) => agentId ?? []))];
  const agents = new Map((await store.records.find("agent", { id: ids })).map((one) => [one.id, one]));
  const repositories = new Map(
    await Promise.all(
      [...new Set(rows.map(({ repositoryId }) => repositoryId))].map(
        async (id) => [id, await store.repositories.get(id)] as const,
      ),
    ),
  );
  return rows.map((row) => {
    const json = runEventJson(row, agents.get(row.agentId ?? 0), repositories.get(row.repositoryId));
    return {
      id: row.id,
      block: `id: ${row.id}\nevent: ${row.event.type}\ndata: ${JSON.stringify(json)}\n\n`,
    };
  });
}

/**
 * Parses a request for `/api/events`. The cursor is `Last-Event-ID`, which a browser sends when it reconnects, or else
 * `?after=`; without either, the stream starts with the next event. `?agent=` is an agent's key. Returns a text if the
 * request is wrong.
 */
export async function wantedEvents(
  store: Store,
  { mayRead, mayStay }: Pick<Rights, "mayRead"> & Pick<Wanted, "mayStay">,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<Wanted | "no_agent" | "no_cursor"> {
  const key = query.get("agent");
  const agent = key === null ? null : await findAgent(store, key);
  if (agent === undefined || (agent !== null && !(await mayRead(agent.repositoryId)))) return "no_agent";
  const agentId = agent?.id ?? null;
  const header = request.headers["last-event-id"];
  const given = typeof header === "string" && header !== "" ? header : query.get("after");
  const latest = await store.runEvents.latest();
  if (given === null) return { after: latest, agentId, mayRead, mayStay };
  if (!/^\d{1,15}$/.test(given)) return "no_cursor";
  // A cursor from another database may lie beyond the newest event, and would wait forever.
  return { after: Math.min(Number(given), latest), agentId, mayRead, mayStay };
}
