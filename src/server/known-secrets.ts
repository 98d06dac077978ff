import type { Config } from "../config/load-config.ts";
import { type Redact, redactorOf } from "../domain/access/redact.ts";
import { SecretSet } from "../domain/access/secret-set.ts";
import type { Clock } from "../domain/ports/clock.ts";

/** A token may still occur in an answer that is on its way after the token has expired. */
const KEPT_AFTER_MS = 5 * 60_000;

/**
 * All secrets of this process, including those created at run time. `redact` removes those that are known at the time.
 */
export class KnownSecrets {
  readonly #all = new SecretSet();
  readonly #fixed = new Set<string>();
  /** Tokens and when they expire, in milliseconds since the epoch. */
  readonly #tokens = new Map<string, number>();
  readonly #clock: Clock;
  readonly redact: Redact = redactorOf(this.#all);

  constructor(fixed: readonly (string | undefined)[], clock: Clock) {
    this.#clock = clock;
    for (const secret of fixed) if (secret !== undefined) this.keep(secret);
  }

  /** Keeps a secret for as long as the process runs. */
  keep(secret: string): void {
    this.#fixed.add(secret);
    this.#all.add(secret);
  }

  /** Keeps a token that was just created. It is dropped some time after it expires. */
  readonly minted = (token: string, until: number): void => {
    const now = this.#clock.now();
    for (const [old, end] of this.#tokens) if (end + KEPT_AFTER_MS < now) this.#forget(old);
    this.#tokens.set(token, until);
    this.#all.add(token);
  };

  #forget(token: string): void {
    this.#tokens.delete(token);
    if (!this.#fixed.has(token)) this.#all.remove(token);
  }
}

/** Returns the secrets of the configuration. */
export function configuredSecrets({ secrets }: Pick<Config, "secrets">): readonly (string | undefined)[] {
  const { privateKey, webhookSecret, webhookSecretPrevious, provider, providers, accountKey, collector } =
    secrets;
  const { dashboardToken, markerSecret, signIn, database, mcpServers, registries, noticeAddresses } = secrets;
  const ofGitHub = [privateKey, webhookSecret, webhookSecretPrevious, signIn?.clientSecret];
  // The whole header value, and the value without its scheme.
  const ofCollector = Object.values(collector?.headers ?? {}).flatMap((value) => [
    value,
    value.split(" ").at(-1),
  ]);
  // A header holds a scheme and the secret, as a collector's does.
  const ofMcpServers = [...mcpServers.values()].flatMap(({ env, header }) => [
    ...Object.values(env),
    header?.value,
    header?.value.split(" ").at(-1),
  ]);
  const ofRegistries = registries.flatMap(({ token }) => [token, ...token.split(":").slice(1)]);
  const ofNotices = [...noticeAddresses.values()].flatMap(({ url, secret }) => [url, secret ?? undefined]);
  return [
    ...ofRegistries,
    ...ofNotices,
    ...ofGitHub,
    provider?.apiKey,
    ...[...providers.values()].map(({ apiKey }) => apiKey),
    accountKey,
    dashboardToken,
    markerSecret,
    ...database,
    ...ofCollector,
    ...ofMcpServers,
  ];
}
