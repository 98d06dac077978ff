import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { messageOf } from "../core/errors.ts";
import type { Log } from "../core/ports/log.ts";
import type { PersonalSignIn } from "../core/ports/personal-sign-in.ts";
import type { Sessions } from "./session-cookie.ts";

/** An answer for a browser that is not on the page yet. */
export interface Moved {
  readonly status: 302 | 200 | 400;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** So long a person has for GitHub's page. */
const PATIENCE_MS = 10 * 60_000;
/** More at once is nobody's sign-in; the oldest is forgotten. */
const MOST_BEGUN = 200;
const BOUND = "flotilla_sign_in";

/** Begins sign-ins and ends them. Each belongs to the browser that began it, and is good once. */
export class GitHubSignIns {
  readonly #signIn: PersonalSignIn;
  readonly #now: () => number;
  readonly #log: Log;
  readonly #begun = new Map<
    string,
    { readonly verifier: string; readonly returnTo: string; readonly until: number }
  >();

  constructor(parts: { signIn: PersonalSignIn; now: () => number; log: Log }) {
    this.#signIn = parts.signIn;
    this.#now = parts.now;
    this.#log = parts.log;
  }

  /** Sends the browser to GitHub, and binds the answer to it by a cookie. */
  begin(request: IncomingMessage): Moved {
    const [state, verifier] = [random(), random()];
    const returnTo = `${originOf(request)}/sign-in/github/done`;
    for (const old of this.#begun.keys()) if (this.#begun.size >= MOST_BEGUN) this.#begun.delete(old);
    this.#begun.set(state, { verifier, returnTo, until: this.#now() + PATIENCE_MS });
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    // Lax, because GitHub's page sends the browser back here; it is worth nothing without the state beside it.
    const cookie = `${BOUND}=${state}; Path=/sign-in; HttpOnly; SameSite=Lax; Max-Age=${PATIENCE_MS / 1000}`;
    const location = this.#signIn.authorizeUrl({ state, challenge, returnTo });
    return { status: 302, headers: { location, "set-cookie": cookie }, body: "" };
  }

  /** GitHub sent the browser back: whoever it names has a session. */
  async end(request: IncomingMessage, url: URL, sessions: Sessions): Promise<Moved> {
    const state = url.searchParams.get("state") ?? "";
    const code = url.searchParams.get("code") ?? "";
    const begun = this.#begun.get(state);
    this.#begun.delete(state);
    const isTheirs = (request.headers.cookie ?? "").split(/;\s*/).includes(`${BOUND}=${state}`);
    if (url.searchParams.get("error") === "access_denied")
      return refused("You told GitHub not to say who you are.");
    if (begun === undefined || begun.until <= this.#now() || !isTheirs || code === "")
      return refused("This sign-in was not begun here, or is over.");
    try {
      const { id, login } = await this.#signIn.whoIs({ code, ...begun });
      const cookie = sessions.open({ kind: "person", id, login }, request);
      // A page and no redirect: a browser that comes from GitHub would not send the new cookie along with one.
      return shown(200, "You are signed in.", { "set-cookie": cookie, refresh: "0; url=/" });
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, "a sign-in by GitHub failed");
      return refused("GitHub did not say who you are.");
    }
  }
}

function refused(why: string): Moved {
  return shown(400, why, {});
}

/** Holds nothing that somebody else wrote. */
function shown(status: 200 | 400, text: string, headers: Readonly<Record<string, string>>): Moved {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Flotilla</title><p>${text} <a href="/">To the dashboard</a></p></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body };
}

/** As the browser sees us. GitHub sends nobody to an address that is not among those of the App. */
function originOf({ headers }: IncomingMessage): string {
  const protocol = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${protocol}://${headers.host ?? "localhost"}`;
}

function random(): string {
  return randomBytes(32).toString("base64url");
}
