import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { SignOutTable } from "../../domain/ports/settings-tables.ts";
import type { Viewer } from "./viewer.ts";

const NAME = "flotilla_session";
/** A working day; then people sign in again. */
const LIFE_MS = 12 * 3_600_000;

const viewer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("operator") }),
  z.strictObject({ kind: z.literal("person"), login: z.string(), id: z.int() }),
]);
const content = z.strictObject({ viewer, until: z.int() });

/**
 * Keeps sign-ins to the page as signed cookies. A sign-in survives a restart, holds no secret, and ends when the token
 * changes, because the token is the signing key. A signed-out one is remembered until it would have expired. Scripts
 * cannot read the cookie, and requests from other sites do not carry it.
 */
export class SignInCookies {
  readonly #token: string;
  readonly #now: () => number;
  readonly #signOuts: SignOutTable;

  constructor(token: string, now: () => number, signOuts: SignOutTable) {
    this.#token = token;
    this.#now = now;
    this.#signOuts = signOuts;
  }

  /** Begins a sign-in. Returns the value of `set-cookie`. */
  open(who: Viewer, request: IncomingMessage): string {
    const text = JSON.stringify({ viewer: who, until: this.#now() + LIFE_MS });
    const value = Buffer.from(text).toString("base64url");
    return cookie(NAME, `${value}.${this.#sign("session", value)}`, request, LIFE_MS / 1000);
  }

  /**
   * Ends the request's sign-in, including all copies of its cookie. Returns the value of `set-cookie` that deletes the
   * cookie.
   */
  async close(request: IncomingMessage): Promise<string> {
    const signIn = this.#signInOf(request);
    if (signIn !== null) await this.#signOuts.add(signIn.name, { until: signIn.until, now: this.#now() });
    return cookie(NAME, "", request, 0);
  }

  /**
   * Returns who has signed in on this request's browser; null if the cookie is missing, expired, signed out, or not
   * signed by us.
   */
  async viewerOf(request: IncomingMessage): Promise<Viewer | null> {
    const signIn = this.#signInOf(request);
    if (signIn === null || (await this.#signOuts.has(signIn.name))) return null;
    return signIn.viewer;
  }

  /**
   * Returns the token that our page sends with the cookie when it acts. Only a page that can read our responses knows
   * it.
   */
  pageToken(request: IncomingMessage): string {
    return this.#sign("page", cookieOf(request, NAME) ?? "");
  }

  /** Reads the request's sign-in. `name` identifies the session but does not grant access. */
  #signInOf(request: IncomingMessage): (z.infer<typeof content> & { readonly name: string }) | null {
    const [value = "", mac = ""] = (cookieOf(request, NAME) ?? "").split(".");
    if (!same(mac, this.#sign("session", value))) return null;
    const signIn = content.parse(JSON.parse(Buffer.from(value, "base64url").toString()));
    if (signIn.until <= this.#now()) return null;
    return { ...signIn, name: createHash("sha256").update(mac).digest("base64url") };
  }

  #sign(purpose: "session" | "page", text: string): string {
    return createHmac("sha256", this.#token).update(`flotilla ${purpose}\n${text}`).digest("base64url");
  }
}

/** Builds a cookie that only our own pages send, over HTTPS only if the browser uses HTTPS. */
function cookie(name: string, value: string, request: IncomingMessage, seconds: number): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secureOver(request)}`;
}

/** Returns whether the browser uses HTTPS, according to the proxy or tunnel in front of us. */
export function isHttps({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-proto"] === "https";
}

/** Returns the attribute that limits a cookie to HTTPS, if the browser uses HTTPS. */
export function secureOver(request: IncomingMessage): string {
  return isHttps(request) ? "; Secure" : "";
}

export function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  return pairs.find(([key]) => key === name)?.[1];
}

/** Compares texts of equal length in constant time. Texts of different length are different. */
export function same(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
