import { createSign } from "node:crypto";
import { isObject, type JsonObject } from "../../../src/demo/github/http/fields.ts";
import type { LocalGitHub } from "../../../src/demo/github/start.ts";

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
  readonly list: JsonObject[];
}

export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Creates a client that calls the API over HTTP with a token; `path` is below /api/v3. Does not throw for refusals. */
export function clientFor(github: Pick<LocalGitHub, "api">, token: string | undefined): Client {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${github.api}${path}`, {
      method,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const json: unknown = isJson ? JSON.parse(text) : undefined;
    const list = Array.isArray(json) ? json.filter(isObject) : [];
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isObject(json) ? { ...json } : {},
      list,
    };
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Creates a JSON web token of the App. `claims` replace the usual ones; times are seconds since the epoch. */
export function appJwt(
  app: { readonly id: number; readonly privateKey: string },
  claims: Record<string, unknown> = {},
  nowMs = Date.now(),
): string {
  const seconds = Math.floor(nowMs / 1000);
  const payload = { iss: app.id, iat: seconds - 30, exp: seconds + 300, ...claims };
  const head = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(payload)}`;
  return `${head}.${createSign("RSA-SHA256").update(head).sign(app.privateKey, "base64url")}`;
}

/** Creates a client with the App's JSON web token. `nowMs` is the local GitHub's clock. */
export function appClient(github: LocalGitHub, nowMs?: number): Client {
  return clientFor(github, appJwt(github.app, {}, nowMs));
}

/** Creates an installation token, restricted if `body` says so. */
export async function installationToken(github: LocalGitHub, body?: object, nowMs?: number): Promise<string> {
  const reply = await appClient(github, nowMs)(
    "POST",
    `/app/installations/${github.installation.id}/access_tokens`,
    body,
  );
  if (reply.status !== 201) throw new Error(`No token: ${reply.status} ${reply.text}`);
  return String(reply.json["token"]);
}

/** Creates a client with an installation token. */
export async function botClient(github: LocalGitHub, body?: object, nowMs?: number): Promise<Client> {
  return clientFor(github, await installationToken(github, body, nowMs));
}
