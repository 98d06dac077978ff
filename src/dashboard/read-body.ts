import type { IncomingMessage } from "node:http";

const MAX_BYTES = 64 * 1024;

/** The JSON that a request carries; undefined for what is none, or too long. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return body;
  } catch {
    return undefined;
  }
}
