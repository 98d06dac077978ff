import type { IncomingMessage } from "node:http";

/** `too_large`: more than the cap, none of it kept. `gone`: the sender left before the end. */
export type ReadBody = Buffer | "too_large" | "gone";

/**
 * Reads a request's body and keeps at most `maxBytes` of it, or nothing with `keep: false`. What is not kept is thrown
 * away while it arrives, so that an honest sender gets to read the answer; beyond twice the cap it is `too_large` at
 * once.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, keep }: { maxBytes: number; keep: boolean },
): Promise<ReadBody> {
  const { promise, resolve } = Promise.withResolvers<ReadBody>();
  const cap = Number(request.headers["content-length"] ?? 0) > maxBytes ? 0 : maxBytes;
  let chunks: Buffer[] = [];
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (keep && received <= cap) {
      chunks.push(chunk);
      return;
    }
    chunks = [];
    if (received > 2 * maxBytes) {
      request.pause();
      resolve("too_large");
    }
  });
  request.once("end", () => resolve(received > cap ? "too_large" : Buffer.concat(chunks)));
  request.once("close", () => resolve("gone"));
  return promise;
}
