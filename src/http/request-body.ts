import type { IncomingMessage } from "node:http";

/**
 * `too_large`: beyond its own limit. `full`: beyond the limit of all bodies together. `gone`: the sender left before
 * the end.
 */
export type ReadBody = Buffer | "too_large" | "full" | "gone";

/** Bytes are stored in pieces of this size, so that a sender of tiny chunks uses no more memory than its bytes. */
const PIECE = 64 * 1024;
const NO_CHANGES = Buffer.alloc(0);

/** Counts the bytes that bodies in progress occupy. */
export class BodySum {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /** Reserves bytes. Returns false, and reserves nothing, if the total would exceed the limit. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/**
 * Reads a request's body and keeps at most `maxBytes` of it, or nothing with `keep: false`. Discards the rest while it
 * arrives, so that an honest sender can read the answer; a body beyond twice the limit is `too_large` at once.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, keep = true, sum }: { maxBytes: number; keep?: boolean; sum: BodySum },
): Promise<ReadBody> {
  // The request has already emitted `close`, and will not emit it again.
  if (request.destroyed) return Promise.resolve("gone");
  const { promise, resolve } = Promise.withResolvers<ReadBody>();
  const declared = Number(request.headers["content-length"] ?? 0);
  const cap = keep && declared <= maxBytes ? maxBytes : 0;
  let pieces: Buffer[] = [];
  let free = NO_CHANGES;
  let taken = 0;
  let received = 0;
  let settled = false;

  function drop(): void {
    pieces = [];
    free = NO_CHANGES;
    sum.release(taken);
    taken = 0;
  }

  function settle(result: ReadBody): void {
    settled = true;
    drop();
    resolve(result);
  }

  /** Returns false if all bodies together leave no room for the chunk. */
  function add(chunk: Buffer): boolean {
    for (let rest = chunk; rest.length > 0; ) {
      if (free.length === 0) {
        if (!sum.take(PIECE)) return false;
        taken += PIECE;
        free = Buffer.allocUnsafe(PIECE);
        pieces.push(free);
      }
      const copied = rest.copy(free);
      free = free.subarray(copied);
      rest = rest.subarray(copied);
    }
    return true;
  }

  request.on("data", (chunk: Buffer) => {
    if (settled) return;
    received += chunk.length;
    if (received <= cap) {
      if (add(chunk)) return;
      request.pause();
      return settle("full");
    }
    drop();
    if (received <= 2 * maxBytes) return;
    request.pause();
    settle("too_large");
  });
  request.once("end", () => {
    if (!settled) settle(received > cap ? "too_large" : Buffer.concat(pieces, received));
  });
  request.once("close", () => {
    if (!settled) settle("gone");
  });
  return promise;
}
