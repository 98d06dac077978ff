import type { Config } from "../config/load-config.ts";
import { type Redact, redactorOf } from "../domain/access/redact.ts";
import { SecretSet } from "../domain/access/secret-set.ts";
import type { Clock } from "../domain/ports/clock.ts";

/** After its end a token may still stand in an answer that is on its way. */
const KEPT_AFTER_MS = 5 * 60_000;

/** All secrets of this process, those too that are made while it runs; `redact` takes out what is known by then. */
export class KnownSecrets {
  readonly #all = new SecretSet();
  readonly #fixed = new Set<string>();
  /** Tokens and until when they are good, in milliseconds since the epoch. */
  readonly #tokens = new Map<string, number>();
  readonly #clock: Clock;
  readonly redact: Redact = redactorOf(this.#all);

  constructor(fixed: readonly (string | undefined)[], clock: Clock) {
    this.#clock = clock;
    for (const secret of fixed) if (secret !== undefined) this.keep(secret);
  }

  /** For as long as the process runs. */
  keep(secret: string): void {
    this.#fixed.add(secret);
    this.#all.add(secret);
  }

  /** A token that was made just now; forgotten some time after its end. */
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

/** What the configuration brings. */
export function configuredSecrets({ secrets }: Pick<Config, "secrets">): readonly (string | undefined)[] {
  const { privateKey, webhookSecret, webhookSecretPrevious, provider, copilotToken, collector } = secrets;
  const { dashboardToken, signIn } = secrets;
  const ofGitHub = [privateKey, webhookSecret, webhookSecretPrevious, signIn?.clientSecret];
  // As a whole, and without the scheme before it.
  const ofCollector = Object.values(collector?.headers ?? {}).flatMap((value) => [
    value,
    value.split(" ").at(-1),
  ]);
  return [...ofGitHub, provider?.apiKey, copilotToken, dashboardToken, ...ofCollector];
}
