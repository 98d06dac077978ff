import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { SignOutTable } from "../../domain/ports/settings-tables.ts";
import type { Viewer } from "./viewer.ts";

const NAME = "flotilla_session";
/** A working day; then one signs in again. */
const LIFE_MS = 12 * 3_600_000;

const viewer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("operator") }),
  z.strictObject({ kind: z.literal("person"), login: z.string(), id: z.int() }),
]);
const content = z.strictObject({ viewer, until: z.int() });

/**
 * Sessions of browsers as cookies that we sign: they survive a restart, hold no secret, and end with the token, which is
 * the key; one that its person ended is remembered until then. No script of a page can read them, and no other site's request carries them.
 */
export class Sessions {
  readonly #token: string;
  readonly #now: () => number;
  readonly #signOuts: SignOutTable;

  constructor(token: string, now: () => number, signOuts: SignOutTable) {
    this.#token = token;
    this.#now = now;
    this.#signOuts = signOuts;
  }

  /** The value of `set-cookie`. */
  open(who: Viewer, request: IncomingMessage): string {
    const text = JSON.stringify({ viewer: who, until: this.#now() + LIFE_MS });
    const value = Buffer.from(text).toString("base64url");
    return cookie(NAME, `${value}.${this.#sign("session", value)}`, request, LIFE_MS / 1000);
  }

  /** Ends the request's session, wherever its cookie was copied to. Returns the value of `set-cookie` that takes it away. */
  async close(request: IncomingMessage): Promise<string> {
    const session = this.#sessionOf(request);
    if (session !== null) await this.#signOuts.add(session.name, { until: session.until, now: this.#now() });
    return cookie(NAME, "", request, 0);
  }

  /** Whose session the request carries; null for none, one that is over or was ended, and one that we did not sign. */
  async viewerOf(request: IncomingMessage): Promise<Viewer | null> {
    const session = this.#sessionOf(request);
    if (session === null || (await this.#signOuts.has(session.name))) return null;
    return session.viewer;
  }

  /** What a page that acts sends beside the cookie: only one that reads our answers can know it. */
  pageToken(request: IncomingMessage): string {
    return this.#sign("page", cookieOf(request, NAME) ?? "");
  }

  /** `name` tells sessions apart and opens none. */
  #sessionOf(request: IncomingMessage): (z.infer<typeof content> & { readonly name: string }) | null {
    const [value = "", mac = ""] = (cookieOf(request, NAME) ?? "").split(".");
    if (!same(mac, this.#sign("session", value))) return null;
    const session = content.parse(JSON.parse(Buffer.from(value, "base64url").toString()));
    if (session.until <= this.#now()) return null;
    return { ...session, name: createHash("sha256").update(mac).digest("base64url") };
  }

  #sign(purpose: "session" | "page", text: string): string {
    return createHmac("sha256", this.#token).update(`flotilla ${purpose}\n${text}`).digest("base64url");
  }
}

/** A cookie that only our own pages send, and only over HTTPS where the browser came that way. */
function cookie(name: string, value: string, request: IncomingMessage, seconds: number): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secureOver(request)}`;
}

/** Whether the browser came over HTTPS, as the proxy or tunnel before us says. */
export function isHttps({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-proto"] === "https";
}

/** What a cookie needs so that the browser sends it over HTTPS alone, where it came that way. */
export function secureOver(request: IncomingMessage): string {
  return isHttps(request) ? "; Secure" : "";
}

export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  return pairs.find(([key]) => key === name)?.[1];
}

/** Compared in constant time; texts of different length are different anyway. */
export function same(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
