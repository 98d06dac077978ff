import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { portOf } from "../../listening.ts";

/** What a server of a test was asked, and with what. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
}

/** A local server that hands out files to whoever has its credential. */
export interface LocalRegistry {
  readonly port: number;
  readonly seen: readonly Seen[];
  readonly routes: Map<string, Route>;
}

/** An answer: its text or bytes, or a function that writes it. */
type Route = string | Buffer | ((response: ServerResponse) => void);

/** Starts a server on loopback that answers 401 to a request without this `Authorization`; null: to nobody. */
export async function startRegistry(credential: string | null): Promise<LocalRegistry> {
  const seen: Seen[] = [];
  const routes = new Map<string, Route>();
  const server = createServer(({ method = "", url = "", headers }, response) => {
    seen.push({ method, url, headers });
    if (credential !== null && headers.authorization !== credential)
      return void response.writeHead(401).end(`not ${String(headers.authorization)}`);
    const route = routes.get(url) ?? routes.get(decodeURI(url));
    if (route === undefined) return void response.writeHead(404).end("nothing");
    if (typeof route === "function") return route(response);
    const type = typeof route === "string" ? typeOf(route) : "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(route);
  });
  return { port: await portOf(server), seen, routes };
}

function typeOf(text: string): string {
  return text.startsWith("<") ? "text/html" : "application/json";
}
