import type { Config } from "../config/load-config.ts";
import type { Clock } from "../core/ports/clock.ts";
import { type Redact, redactor } from "../core/text/redact.ts";

/** After its end a token may still stand in an answer that is on its way. */
const KEPT_AFTER_MS = 5 * 60_000;

/** All secrets of this process, those too that are made while it runs; `redact` takes out what is known by then. */
export class KnownSecrets {
  readonly #fixed: string[];
  /** Tokens and until when they are good, in milliseconds since the epoch. */
  readonly #tokens = new Map<string, number>();
  readonly #clock: Clock;
  #redact: Redact;

  constructor(fixed: readonly (string | undefined)[], clock: Clock) {
    this.#fixed = fixed.filter((one) => one !== undefined);
    this.#clock = clock;
    this.#redact = redactor(this.#fixed);
  }

  readonly redact: Redact = (text) => this.#redact(text);

  /** For as long as the process runs. */
  keep(secret: string): void {
    this.#fixed.push(secret);
    this.#renew();
  }

  /** A token that was made just now; forgotten some time after its end. */
  readonly minted = (token: string, until: number): void => {
    const now = this.#clock.now();
    for (const [old, end] of this.#tokens) if (end + KEPT_AFTER_MS < now) this.#tokens.delete(old);
    this.#tokens.set(token, until);
    this.#renew();
  };

  #renew(): void {
    this.#redact = redactor([...this.#fixed, ...this.#tokens.keys()]);
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
