import type { Readable } from "node:stream";
import { z } from "zod";
import type { Clock } from "../../../domain/ports/clock.ts";

/** Bytes of one message: a whole file may be in it, or a picture. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** Lines in a row that are no messages: an agent may log a little where only messages belong. */
const MOST_NONSENSE = 200;
/** What is read of one agent within a second; more waits, and so does the agent, whose pipe is full. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_LINES = 5000;
const SECOND = 1000;

/** How a stream ends that has nothing more to say. */
export const CLOSED = "closed its output";

const message = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

export type Message = z.output<typeof message>;

interface Listener {
  heard(message: Message): void;
  /** Nothing more is read: the rest of a sentence about the agent, such as `CLOSED`. */
  ended(why: string): void;
}

/**
 * Reads JSON-RPC messages, one a line, from a stream that an agent writes. It is bounded: a line that is too long and
 * nonsense without end are an end, and a flood is read slowly. Returns how to hold the reading back.
 */
export function readMessages(
  input: Readable,
  listener: Listener,
  clock: Pick<Clock, "now" | "after">,
): { hold(): void; release(): void } {
  let line: Buffer[] = [];
  let length = 0;
  let nonsense = 0;
  let isOver = false;
  let holds = 0;
  let window = { began: clock.now(), bytes: 0, lines: 0, isFull: false };

  const hold = (): void => {
    holds += 1;
    input.pause();
  };
  const release = (): void => {
    holds -= 1;
    if (holds === 0 && !isOver) input.resume();
  };

  function end(why: string): void {
    if (isOver) return;
    isOver = true;
    line = [];
    input.destroy();
    listener.ended(why);
  }

  function count(bytes: number): void {
    const now = clock.now();
    if (!window.isFull && now - window.began >= SECOND)
      window = { began: now, bytes: 0, lines: 0, isFull: false };
    window.bytes += bytes;
    if (window.isFull || (window.bytes <= MOST_BYTES && window.lines <= MOST_LINES)) return;
    window.isFull = true;
    hold();
    clock.after(Math.max(0, window.began + SECOND - now), () => {
      window = { began: clock.now(), bytes: 0, lines: 0, isFull: false };
      release();
    });
  }

  /** Keeps a part of a line. Small ones are joined: a line that comes byte by byte would take a hundred times its size. */
  function keep(part: Buffer): void {
    let last = part;
    for (
      let before = line.at(-1);
      before !== undefined && before.length <= last.length;
      before = line.at(-1)
    ) {
      line.pop();
      last = Buffer.concat([before, last]);
    }
    line.push(last);
  }

  function hear(text: string): void {
    window.lines += 1;
    if (text.trim() === "") return;
    const read = parsed(text);
    if (read !== null) {
      nonsense = 0;
      listener.heard(read);
      return;
    }
    nonsense += 1;
    if (nonsense > MOST_NONSENSE)
      end(`wrote ${MOST_NONSENSE} lines in a row to its output that are no messages of ACP`);
  }

  input.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const whole = Buffer.concat([...line, chunk.subarray(from, at)]).toString("utf8");
      line = [];
      length = 0;
      from = at + 1;
      hear(whole);
      if (isOver) return;
    }
    const rest = chunk.subarray(from);
    length += rest.length;
    if (length > LONGEST_LINE) return end(`wrote a line of more than ${LONGEST_LINE / 1024 / 1024} MiB`);
    if (rest.length > 0) keep(rest);
    count(chunk.length);
  });
  input.on("end", () => end(CLOSED));
  input.on("close", () => end(CLOSED));
  input.on("error", () => end(CLOSED));
  return { hold, release };
}

function parsed(text: string): Message | null {
  try {
    return message.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
