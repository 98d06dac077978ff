import { createServer } from "node:http";
import { generate } from "../../github-descriptions/generate.ts";
import { findOperation, type Operation } from "../../github-descriptions/operations.ts";
import type { Call } from "./every-call.ts";

/** What goes over the wire in place of the generated answer. */
export interface Wire {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An operation of GraphQL has no description here: the call says how it is answered. */
function graphOperation(sent: string): Operation {
  const { query } = Object(JSON.parse(sent));
  const [, name] = /^(?:query|mutation) (\w+)/.exec(String(query)) ?? [];
  const responses = { "200": { content: { "application/json": { schema: { type: "object" } } } } };
  return { name: `POST /graphql ${name}`, parameters: [], requestBody: null, responses };
}

/** A server on this machine that answers every operation by GitHub's description of it, but for one that is damaged. */
export async function answeringServer() {
  let answers: NonNullable<Call["answers"]> = {};
  let missing: string | undefined;
  let damage: { readonly operation: string; readonly wire: (body: string) => Wire } | undefined;
  let asked: { readonly operation: string; readonly line: string }[] = [];
  const kept = new Map<string, { status: number; body: string }>();

  function answerOf(operation: Operation): { status: number; body: string } {
    const adapted = answers[operation.name];
    const known = adapted === undefined ? kept.get(operation.name) : undefined;
    if (known !== undefined) return known;
    const [status = "204", response] =
      Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ??
      Object.entries(operation.responses)[0] ??
      [];
    const schema = response?.content?.["application/json"]?.schema;
    const generated = schema === undefined ? [] : generate(schema, "full");
    const answer = {
      status: Number(status),
      body:
        schema === undefined ? "" : JSON.stringify(adapted === undefined ? generated[0] : adapted(generated)),
    };
    if (adapted === undefined) kept.set(operation.name, answer);
    return answer;
  }

  const server = createServer((request, response) => {
    const { method = "", url = "" } = request;
    let sent = "";
    request.on("data", (part: Buffer) => (sent += part.toString()));
    request.on("end", () => {
      const path = url.split("?", 1)[0] ?? "";
      const operation = path === "/graphql" ? graphOperation(sent) : findOperation(method, path);
      const json = { "content-type": "application/json" };
      if (operation === undefined || operation.name === missing)
        return void response.writeHead(404, json).end('{"message":"Not Found"}');
      asked.push({ operation: operation.name, line: `${method} ${url.split("?", 1)[0]}` });
      // A log is text, behind a redirect.
      if (operation.name.endsWith("/logs"))
        return void response.writeHead(200, { "content-type": "text/plain" }).end("a log");
      const { status, body } = answerOf(operation);
      const wire = damage?.operation === operation.name ? damage.wire(body) : { body };
      const type = wire.type ?? "application/json; charset=utf-8";
      response.writeHead(wire.status ?? status, { "content-type": type, ...wire.headers });
      response.end(wire.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server does not listen on a port.");
  const { port } = address;
  return {
    url: `http://127.0.0.1:${port}`,
    /** From now on this call's own answers stand in for the generated ones, and `wire` for that operation's. */
    answer(call: Call, operation?: string, wire?: (body: string) => Wire): void {
      answers = call.answers ?? {};
      missing = call.missing;
      damage = operation === undefined || wire === undefined ? undefined : { operation, wire };
    },
    /** What was asked since the last time. */
    taken() {
      const taken = asked;
      asked = [];
      return taken;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
