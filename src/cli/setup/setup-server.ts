import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ServerResponse } from "node:http";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Log } from "../../domain/ports/log.ts";
import { type Asked, answerText, createHttpServer } from "../../http/http-server.ts";
import { ownHostsOnly } from "../../http/own-hosts.ts";
import { WEBHOOK_PATH } from "../../webhooks/receive/webhook-route.ts";
import type { AppChoices } from "./manifest.ts";
import { choicesPage, donePage, refusedPage } from "./page.ts";

/** Larger than any webhook that GitHub sends to a new App. */
const MAX_BYTES = 1024 * 1024;

/** A request to the webhook's address. Its signature can be checked only once the secret is known. */
export interface ReceivedWebhook {
  readonly body: Buffer;
  readonly signature: string;
}

export interface SetupServer {
  /** The page's URL, with a path that nobody can guess. */
  readonly url: string;
  /** The requests to the webhook's address so far, at most one hundred. */
  readonly received: readonly ReceivedWebhook[];
  close(): Promise<void>;
}

/**
 * Serves the page on which a person has GitHub create the App, and the address to which GitHub returns the
 * browser. Calls `made` with each code that has our state; it resolves with the App's installation page.
 * Accepts webhooks at the same path as `serve`.
 */
export async function startSetupServer(options: {
  readonly host: string;
  readonly port: number;
  /** Host names under which the page may be opened, in addition to `localhost` and IP addresses. */
  readonly hosts: readonly string[];
  readonly gitUrl: string;
  readonly choices: AppChoices;
  readonly made: (code: string) => Promise<string>;
  readonly log: Log;
}): Promise<SetupServer> {
  const state = randomBytes(16).toString("hex");
  // The public address leads to this port, too, so a key limits the page to the person who reads the printed
  // link.
  const key = randomBytes(32).toString("base64url");
  const received: ReceivedWebhook[] = [];

  async function answer(asked: Asked): Promise<void> {
    const { request, response, target } = asked;
    if (target.path === WEBHOOK_PATH && request.method === "POST") {
      const body = await asked.body({ maxBytes: MAX_BYTES });
      if (body === "gone") return;
      if (typeof body === "string")
        return answerText(asked, body === "full" ? 503 : 413, "This webhook is too long\n");
      if (received.length < 100)
        received.push({ body, signature: String(request.headers["x-hub-signature-256"]) });
      response.writeHead(202).end();
      return;
    }
    const at = request.headers.host ?? "";
    const [given = "", path = "", ...more] = target.segments;
    if (!isSame(given, key))
      return send(response, 404, refusedPage("Open the link that flotilla init printed."));
    const start = `/${key}/`;
    if (request.method !== "GET") return send(response, 405, refusedPage("This is not understood.", start));
    if (path === "" && more.length === 0) {
      const field = (name: keyof AppChoices): string =>
        (target.query.get(name) ?? options.choices[name]).trim();
      const choices = { name: field("name"), address: field("address"), organization: field("organization") };
      return send(
        response,
        200,
        choicesPage(choices, { gitUrl: options.gitUrl, state, redirectUrl: `http://${at}${start}made` }),
      );
    }
    const code = target.query.get("code") ?? "";
    if (path !== "made" || more.length > 0)
      return send(response, 404, refusedPage("This page does not exist.", start));
    if (target.query.get("state") !== state || code === "")
      return send(response, 400, refusedPage("This does not come from the page that is open here.", start));
    return send(response, 200, donePage(await options.made(code)));
  }

  function send(response: ServerResponse, status: number, html: string): void {
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${new URL(options.gitUrl).origin}; frame-ancestors 'none'`,
      "referrer-policy": "no-referrer",
      connection: "close",
    });
    response.end(html);
  }

  const route = (asked: Asked): Promise<void> =>
    answer(asked).catch((error: unknown) =>
      send(asked.response, 502, refusedPage(messageOf(error), `/${key}/`)),
    );
  // Otherwise another site could reach the page under its own name, read it, and give us an App of its own.
  const server = createHttpServer([ownHostsOnly(options.hosts, [WEBHOOK_PATH]), route], options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return {
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}/${key}/`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** Compares in constant time. */
function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
