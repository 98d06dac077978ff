import { messageOf } from "../../../domain/kernel/errors.ts";
import type { PictureFault } from "../../../domain/pictures/picture.ts";
import type { Clock } from "../../../domain/ports/clock.ts";

/**
 * Reads an attachment anonymously: the signed address is enough, and our token is only for GitHub's API. Follows no
 * redirect, and stops where the limit of bytes or time is reached. Never rejects.
 */
export async function fetchPicture(
  address: URL,
  {
    clock,
    timeLimitMs,
    most,
  }: { readonly clock: Clock; readonly timeLimitMs: number; readonly most: number },
): Promise<{ readonly bytes: Uint8Array } | PictureFault> {
  const aborter = new AbortController();
  const cancel = clock.after(timeLimitMs, () => aborter.abort(new Error("it took too long")));
  try {
    const response = await fetch(address, { redirect: "error", signal: aborter.signal });
    const fault = faultOf(response, most);
    if (fault === null) return await beginningOf(response, most);
    await response.body?.cancel();
    return { fault };
  } catch (error) {
    return { fault: `GitHub did not send it (${messageOf(error).slice(0, 100)})` };
  } finally {
    cancel();
  }
}

function faultOf({ ok, status, headers }: Response, most: number): string | null {
  if (status === 404) return "GitHub does not have it any more (404)";
  if (!ok) return `GitHub answered with status ${status}`;
  const type = headers.get("content-type") ?? "no type";
  if (!/^image\/[\w.+-]{1,50}(?:;|$)/i.test(type)) return `GitHub sent no picture but ${named(type)}`;
  return Number(headers.get("content-length") ?? 0) > most ? tooLarge(most) : null;
}

const named = (type: string) => (/^text\/html/i.test(type) ? "a page" : type.slice(0, 50));

const tooLarge = (most: number) => `it has more than ${most / 1024 / 1024} MiB`;

async function beginningOf(
  response: Response,
  most: number,
): Promise<{ readonly bytes: Uint8Array } | PictureFault> {
  const chunks: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of response.body ?? []) {
    held += chunk.byteLength;
    if (held > most) return { fault: tooLarge(most) };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks) };
}
