/** GitHub keeps the logs of jobs on other servers, and answers with a signed address there that is good for a minute. */
const LOGS = /\/actions\/jobs\/\d+\/logs$/;

/** Of a log so much is kept, from its end: there a run says how it failed. */
const MOST_BYTES = 2_000_000;

/** The address of a log, where a request for one may be sent on to another server; undefined for any other request. */
export function logAddress(asked: URL, location: URL, base: URL): URL | undefined {
  if (!LOGS.test(asked.pathname)) return undefined;
  return location.protocol === "https:" || location.origin === base.origin ? location : undefined;
}

/** Reads it as nobody: the address itself is the right to read, and our token is for GitHub alone. Follows no further. */
export async function fetchLog(address: URL, signal: AbortSignal | null): Promise<Response> {
  const response = await fetch(address, { redirect: "error", signal });
  const body = response.ok ? await endOf(response) : null;
  return new Response(body, {
    status: response.status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/** The end of a body, without ever holding much more than that. */
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
