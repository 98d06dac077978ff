/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { Refused, read } from "./ask.ts";

/** Events of runs, as `/api/events` names them. */
const TYPES = [
  "agent:starting",
  "agent:step",
  "agent:paused",
  "agent:error",
  "agent:completed",
  "agent:cleanup",
  "approval:requested",
  "tool:start",
  "tool:result",
  "stream:token",
  "state:update",
] as const;

/** Of many events that come at once, one look is enough. */
const GATHER_MS = 250;
/** What no event tells of, such as a webhook that failed. */
export const LOOK_MS = 5000;
/** A stream that was refused is tried again after this; one that broke is tried again by the browser itself. */
const RETRY_MS = 4000;

/** An event as `/api/events` gives it. */
export interface LiveEvent {
  readonly id: number;
  readonly type: (typeof TYPES)[number];
  readonly at: string;
  readonly turn: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Since when nothing is heard, in milliseconds since the epoch; null while all is well. */
export type LostSince = number | null;

/** Follows the events of a path; returns since when the line is lost. */
export function useEvents(path: string, take: (event: LiveEvent) => void, again: () => void): LostSince {
  const [lost, setLost] = useState<LostSince>(null);
  useEffect(() => {
    let source: EventSource;
    let retry: number | undefined;
    const open = (): void => {
      source = new EventSource(path);
      source.addEventListener("open", () => {
        setLost(null);
        again();
      });
      source.addEventListener("error", () => {
        setLost((since) => since ?? Date.now());
        if (source.readyState === EventSource.CLOSED) retry = window.setTimeout(open, RETRY_MS);
      });
      for (const type of TYPES)
        source.addEventListener(type, ({ data }: MessageEvent<string>) => take(JSON.parse(data)));
    };
    open();
    return () => {
      window.clearTimeout(retry);
      source.close();
    };
  }, [path]);
  return lost;
}

export interface Loaded<Body> {
  readonly body: Body | null;
  /** Why there is nothing to show. */
  readonly refused: Refused | null;
}

/** What a path of the API answers, read again each time that `version` grows. A failed look keeps what was there. */
export function useRead<Body>(path: string, version: number): Loaded<Body> {
  const [loaded, setLoaded] = useState<Loaded<Body>>({ body: null, refused: null });
  useEffect(() => {
    let current = true;
    const look = async (): Promise<void> => {
      try {
        const body = await read<Body>(path);
        if (current) setLoaded({ body, refused: null });
      } catch (error) {
        // The session is over: what is shown is nobody's any more, and the page asks who one is.
        if (error instanceof Refused && error.status === 401) location.reload();
        else if (current && error instanceof Refused) setLoaded(({ body }) => ({ body, refused: error }));
      }
    };
    void look();
    return () => {
      current = false;
    };
  }, [path, version]);
  return loaded;
}

/** A number that grows when something may have changed: soon after an event, and now and then. */
export function useVersion(): readonly [version: number, changed: () => void] {
  const [version, setVersion] = useState(0);
  const [gather] = useState<{ timer: number | undefined }>({ timer: undefined });
  const grow = (): void => {
    gather.timer = undefined;
    setVersion((before) => before + 1);
  };
  useEffect(() => {
    const look = window.setInterval(() => {
      if (!document.hidden) grow();
    }, LOOK_MS);
    return () => window.clearInterval(look);
  }, []);
  return [version, () => void (gather.timer ??= window.setTimeout(grow, GATHER_MS))];
}
