import { createHash, createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { PersonalSignIn } from "../../domain/ports/github-app.ts";
import type { Log } from "../../domain/ports/log.ts";
import { FailureLimit } from "../../http/failure-limit.ts";
import { cookieOf, isHttps, type SignInCookies, same, secureOver } from "./sign-in-cookies.ts";

/** A response for a browser that is not on the dashboard yet. */
export interface Moved {
  readonly status: 302 | 200 | 400 | 429;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** How long a person may take on GitHub's page. */
const PATIENCE_MS = 10 * 60_000;
const BOUND = "flotilla_sign_in";
/** Loopback and private addresses, such as those of container networks. */
const PRIVATE = /^(?:::ffff:)?(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^::1$|^f[cd]/;

/**
 * Starts and completes sign-ins. Each is bound to the browser that started it: its state is in that browser's signed
 * cookie. The server stores nothing, so starting many sign-ins cannot evict anyone else's.
 */
export class GitHubSignIns {
  readonly #signIn: PersonalSignIn;
  readonly #key: string;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #failures: FailureLimit;

  /** `key` signs the cookies and must stay secret. */
  constructor(parts: { signIn: PersonalSignIn; key: string; now: () => number; log: Log }) {
    this.#signIn = parts.signIn;
    this.#key = parts.key;
    this.#now = parts.now;
    this.#log = parts.log;
    this.#failures = new FailureLimit(parts);
  }

  /** Redirects the browser to GitHub, and binds the response to this browser with a cookie. */
  begin(request: IncomingMessage): Moved {
    const state = randomBytes(32).toString("base64url");
    const begun = `${state}.${this.#now() + PATIENCE_MS}`;
    const challenge = createHash("sha256").update(this.#verifier(state)).digest("base64url");
    const location = this.#signIn.authorizeUrl({ state, challenge, returnTo: returnTo(request) });
    const cookie = bound(request, `${begun}.${this.#sign("begun", begun)}`, PATIENCE_MS / 1000);
    return { status: 302, headers: { location, "set-cookie": cookie }, body: "" };
  }

  /** Handles the redirect back from GitHub: signs in the person whom GitHub names. */
  async end(request: IncomingMessage, query: URLSearchParams, cookies: SignInCookies): Promise<Moved> {
    const client = clientOf(request);
    const seconds = this.#failures.secondsToWait(client);
    if (seconds !== null)
      return shown(429, "Too many sign-ins from your address failed. Try again in a minute.", {
        "retry-after": `${seconds}`,
      });
    if (query.get("error") === "access_denied")
      return refused("You did not authorize the sign-in on GitHub.");
    const state = query.get("state") ?? "";
    const code = query.get("code") ?? "";
    if (code === "" || !this.#isBegun(request, state)) {
      this.#failures.count(client);
      return refused("This sign-in was not started in this browser, or it has expired.");
    }
    try {
      const verifier = this.#verifier(state);
      const { id, login } = await this.#signIn.whoIs({ code, verifier, returnTo: returnTo(request) });
      const cookie = cookies.open({ kind: "person", id, login }, request);
      // Answers with a page instead of a redirect: a browser that comes from GitHub would not send the new cookie with
      // a redirected request.
      return shown(200, "You are signed in.", {
        "set-cookie": [cookie, bound(request, "", 0)],
        refresh: "0; url=/",
      });
    } catch (error) {
      this.#failures.count(client);
      this.#log.warn({ error: messageOf(error) }, "sign-in with GitHub failed");
      return refused("GitHub did not confirm who you are.");
    }
  }

  /**
   * Returns whether the browser's cookie, signed by us, says that it started this sign-in, and the time is not over.
   */
  #isBegun(request: IncomingMessage, state: string): boolean {
    const [began = "", until = "", mac = ""] = (cookieOf(request, BOUND) ?? "").split(".");
    const signed = same(mac, this.#sign("begun", `${began}.${until}`));
    return signed && same(began, state) && Number(until) > this.#now();
  }

  /** Derives the PKCE verifier, which never reaches the browser. */
  #verifier(state: string): string {
    return this.#sign("verifier", state);
  }

  #sign(purpose: "begun" | "verifier", text: string): string {
    return createHmac("sha256", this.#key).update(`flotilla ${purpose}\n${text}`).digest("base64url");
  }
}

function refused(why: string): Moved {
  return shown(400, why, {});
}

/** Builds a page. `text` must not come from outside Flotilla. */
function shown(status: 200 | 400 | 429, text: string, headers: Moved["headers"]): Moved {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Flotilla</title><p>${text} <a href="/">Go to the dashboard</a></p></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body };
}

/**
 * Builds the cookie of a sign-in. It is SameSite=Lax because GitHub's page redirects the browser back here; without the
 * state it is useless.
 */
function bound(request: IncomingMessage, value: string, seconds: number): string {
  return `${BOUND}=${value}; Path=/sign-in; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secureOver(request)}`;
}

/** Returns our callback address as the browser sees it. GitHub redirects only to callback URLs that the App lists. */
function returnTo(request: IncomingMessage): string {
  const protocol = isHttps(request) ? "https" : "http";
  return `${protocol}://${request.headers.host ?? "localhost"}/sign-in/github/done`;
}

/**
 * Returns the address that failures are counted for: the peer's, or the address that a local proxy or tunnel forwards.
 */
function clientOf({ socket, headers }: IncomingMessage): string {
  const peer = socket.remoteAddress ?? "";
  const forwarded =
    String(headers["x-forwarded-for"] ?? "")
      .split(",")
      .at(-1)
      ?.trim() ?? "";
  return isIP(forwarded) !== 0 && PRIVATE.test(peer) ? forwarded : peer;
}
