import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { SignOutTable } from "../../domain/ports/settings-tables.ts";
import { same } from "./sign-in-cookies.ts";
import type { Viewer } from "./viewer.ts";

type Person = Extract<Viewer, { readonly kind: "person" }>;

const PREFIX = "flotilla_";
const LIFE_MS = 90 * 86_400_000;

const content = z.strictObject({
  login: z.string(),
  id: z.int(),
  /** Counts how often the person has ended all tokens. */
  series: z.int(),
  until: z.int(),
});

/**
 * Tokens with which a person's own programs act as that person. They are signed and not stored: the operator's token is
 * the signing key, so that another one ends them all. A person ends all that they have at once; that is remembered until
 * the last of them would have expired.
 */
export class PersonalTokens {
  readonly #key: string;
  readonly #now: () => number;
  readonly #signOuts: SignOutTable;

  constructor(key: string, now: () => number, signOuts: SignOutTable) {
    this.#key = key;
    this.#now = now;
    this.#signOuts = signOuts;
  }

  /** Returns a new token and when it expires, in milliseconds since the epoch. */
  async make({ login, id }: Person): Promise<{ readonly token: string; readonly until: number }> {
    const until = this.#now() + LIFE_MS;
    const series = await this.#series(id);
    const value = Buffer.from(JSON.stringify({ login, id, series, until })).toString("base64url");
    return { token: `${PREFIX}${value}.${this.#sign(value)}`, until };
  }

  /** Ends all tokens of a person. */
  async endAll({ id }: Person): Promise<void> {
    const now = this.#now();
    await this.#signOuts.add(nameOf(id, await this.#series(id)), { until: now + LIFE_MS, now });
  }

  /** Returns who made the token that the request carries as `Authorization: Bearer`; null if it carries none. */
  async viewerOf({ headers }: IncomingMessage): Promise<Person | null> {
    const [, value = "", mac = ""] =
      /^Bearer flotilla_([\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
    if (!same(mac, this.#sign(value))) return null;
    const { login, id, series, until } = content.parse(
      JSON.parse(Buffer.from(value, "base64url").toString()),
    );
    if (until <= this.#now() || (await this.#signOuts.has(nameOf(id, series)))) return null;
    return { kind: "person", login, id };
  }

  /** The first series that is not ended: an ended one is forgotten when none of its tokens is left. */
  async #series(id: number): Promise<number> {
    for (let series = 0; ; series += 1) if (!(await this.#signOuts.has(nameOf(id, series)))) return series;
  }

  #sign(value: string): string {
    return createHmac("sha256", this.#key).update(`flotilla token\n${value}`).digest("base64url");
  }
}

function nameOf(id: number, series: number): string {
  return createHash("sha256").update(`tokens of ${id}, ${series}`).digest("base64url");
}
