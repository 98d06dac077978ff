import { once } from "node:events";
import { createServer } from "node:http";

export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly event: string;
  readonly guid: string;
  readonly payload: Record<string, unknown>;
}

/** Starts a real HTTP server that receives webhooks and answers with `answer.status`. */
export async function startReceiver(): Promise<{
  url: string;
  received: Received[];
  /** Returns event and action of everything received, such as "issues.opened". */
  names: () => string[];
  answer: { status: number };
  close: () => Promise<void>;
}> {
  const received: Received[] = [];
  const answer = { status: 202 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      received.push({
        headers: request.headers,
        body,
        event: String(request.headers["x-github-event"]),
        guid: String(request.headers["x-github-delivery"]),
        payload: JSON.parse(body),
      });
      response.writeHead(answer.status, { "content-type": "text/plain" }).end("taken");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  return {
    url: `http://127.0.0.1:${address.port}/api/github/webhooks`,
    received,
    names: () =>
      received.map(({ event, payload }) =>
        typeof payload["action"] === "string" ? `${event}.${payload["action"]}` : event,
      ),
    answer,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
