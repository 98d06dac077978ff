/**
 * GitHub stores the logs of jobs on other servers, and redirects to a signed address there that is valid for a minute.
 */
const LOGS = /\/actions\/jobs\/\d+\/logs$/;

/** Maximum size of a log that is kept, from its end: the end says how a run failed. */
const MOST_BYTES = 2_000_000;

/**
 * Returns the address of a log, if the request is one that may be redirected to another server; undefined otherwise.
 */
export function logAddress(asked: URL, location: URL, base: URL): URL | undefined {
  if (!LOGS.test(asked.pathname)) return undefined;
  return location.protocol === "https:" || location.origin === base.origin ? location : undefined;
}

/**
 * Reads a log anonymously: the signed address is enough, and our token is only for GitHub. Follows no further redirect.
 */
export async function fetchLog(address: URL, signal: AbortSignal | null): Promise<Response> {
  const response = await fetch(address, { redirect: "error", signal });
  const body = response.ok ? await endOf(response) : null;
  return new Response(body, {
    status: response.status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/** Returns the end of a body without holding much more than that in memory. */
async function endOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  let kept: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of response.body ?? []) {
    kept.push(chunk);
    held += chunk.byteLength;
    while (kept[0] !== undefined && held - kept[0].byteLength > MOST_BYTES) {
      held -= kept[0].byteLength;
      kept = kept.slice(1);
    }
  }
  return Buffer.concat(kept).subarray(-MOST_BYTES);
}
