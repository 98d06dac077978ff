/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { Refused, read } from "./ask.ts";

/** Types of events, as `/api/events` names them. */
const TYPES = [
  "agent:starting",
  "agent:step",
  "agent:paused",
  "agent:error",
  "agent:completed",
  "agent:cleanup",
  "agent:service",
  "agent:model",
  "approval:requested",
  "tool:start",
  "tool:running",
  "tool:result",
  "stream:token",
  "state:update",
] as const;

/** Collects events for this long before the page reads again. */
const GATHER_MS = 250;
/** How often the page reads again without an event: some changes, such as a failed webhook, cause no event. */
export const LOOK_MS = 5000;
/** Delay before a refused stream is opened again. The browser itself reopens a broken one. */
const RETRY_MS = 4000;

/** An event of `/api/events`. */
export interface LiveEvent {
  readonly id: number;
  readonly type: (typeof TYPES)[number];
  readonly at: string;
  readonly turn: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Since when the connection is lost, in milliseconds since the epoch; null while it is open. */
export type LostSince = number | null;

/** Opens each stream of this page again. */
const openers = new Set<() => void>();

/** Asks at once whether Flotilla answers, and if so opens all streams again. */
export async function reconnect(): Promise<boolean> {
  try {
    await fetch("/healthz");
  } catch {
    return false;
  }
  for (const open of openers) open();
  return true;
}

/** Follows the events of a path. Returns since when the connection is lost. */
export function useEvents(path: string, take: (event: LiveEvent) => void, again: () => void): LostSince {
  const [lost, setLost] = useState<LostSince>(null);
  useEffect(() => {
    let source: EventSource | undefined;
    let retry: number | undefined;
    const open = (): void => {
      window.clearTimeout(retry);
      source?.close();
      source = new EventSource(path);
      const opened = source;
      source.addEventListener("open", () => {
        setLost(null);
        again();
      });
      source.addEventListener("error", () => {
        setLost((since) => since ?? Date.now());
        if (opened.readyState === EventSource.CLOSED) retry = window.setTimeout(open, RETRY_MS);
      });
      for (const type of TYPES)
        source.addEventListener(type, ({ data }: MessageEvent<string>) => take(JSON.parse(data)));
    };
    open();
    openers.add(open);
    return () => {
      openers.delete(open);
      window.clearTimeout(retry);
      source?.close();
    };
  }, [path]);
  return lost;
}

export interface Loaded<Body> {
  readonly body: Body | null;
  /** Why there is nothing to show. */
  readonly refused: Refused | null;
}

/** Reads a path of the API, again each time that `version` grows. Keeps the previous body if a read fails. */
export function useRead<Body>(path: string, version: number): Loaded<Body> {
  const [loaded, setLoaded] = useState<Loaded<Body>>({ body: null, refused: null });
  useEffect(() => {
    let current = true;
    const refresh = async (): Promise<void> => {
      try {
        const body = await read<Body>(path);
        if (current) setLoaded({ body, refused: null });
      } catch (error) {
        // The sign-in has ended: reloading removes what is shown and asks for a new sign-in.
        if (error instanceof Refused && error.status === 401) location.reload();
        else if (current && error instanceof Refused) setLoaded(({ body }) => ({ body, refused: error }));
      }
    };
    void refresh();
    return () => {
      current = false;
    };
  }, [path, version]);
  return loaded;
}

/** A number that grows when something may have changed: shortly after an event, and at regular intervals. */
export function useVersion(): readonly [version: number, changed: () => void] {
  const [version, setVersion] = useState(0);
  const [gather] = useState<{ timer: number | undefined }>({ timer: undefined });
  const grow = (): void => {
    gather.timer = undefined;
    setVersion((before) => before + 1);
  };
  useEffect(() => {
    const refresh = window.setInterval(() => {
      if (!document.hidden) grow();
    }, LOOK_MS);
    return () => window.clearInterval(refresh);
  }, []);
  return [version, () => void (gather.timer ??= window.setTimeout(grow, GATHER_MS))];
}
