import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

/** A provider's endpoint, in front of the scripted model. */
export interface Provider {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Passes calls on to this address from now on. */
  passTo(origin: string): void;
  close(): Promise<void>;
}

/**
 * Starts a provider that answers as the scripted model does. `refuses` is asked at each call: it returns the headers of a 429,
 * or null. `answered` is called before an answer goes out.
 */
export async function aProvider(does: {
  readonly refuses: () => Readonly<Record<string, string>> | null;
  readonly answered: () => void;
}): Promise<Provider> {
  let target = "";
  const server = createServer((request, response) => {
    void (async () => {
      const body = new Uint8Array(await buffer(request));
      const refusal = does.refuses();
      if (refusal !== null) {
        response.writeHead(429, { "content-type": "application/json", ...refusal });
        response.end(
          '{"type":"error","error":{"type":"rate_limit_error","code":"rate_limit","message":"Slow down."}}',
        );
        return;
      }
      const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
      const answer = await fetch(`${target}${request.url}`, {
        method: request.method ?? "POST",
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        body,
      });
      const said = new Uint8Array(await answer.arrayBuffer());
      if (answer.ok) does.answered();
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(said);
    })().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    passTo(origin) {
      target = origin;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
