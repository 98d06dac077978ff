import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Allowance } from "../../domain/breakers/allowance.ts";
import {
  type NearLimit,
  nearLimits,
  nearTtl,
  type Used,
  warningText,
} from "../../domain/breakers/limit-warning.ts";
import type { Log } from "../../domain/ports/log.ts";

/**
 * Warns of each limit once in an agent's life: in the log at once, and to the model with the next text that
 * it reads from us.
 */
export class LimitWarnings {
  readonly #warned: Set<string>;
  #untold: string[] = [];
  readonly #options: {
    readonly allowance: Allowance;
    readonly warnAt: number;
    readonly log: Log;
    readonly agent: string;
    readonly remember: (warned: string[]) => void;
  };

  /** `warned` = keys of earlier warnings; `remember` receives all keys whenever one is added. */
  constructor(
    warned: readonly string[],
    options: {
      allowance: Allowance;
      warnAt: number;
      log: Log;
      agent: string;
      remember: (warned: string[]) => void;
    },
  ) {
    this.#warned = new Set(warned);
    this.#options = options;
  }

  check(used: Used): void {
    const { allowance, warnAt } = this.#options;
    this.#warn(nearLimits(used, allowance, warnAt));
  }

  /** Checks the time to live. `agent` is read afresh: a person may have changed its limit. */
  checkTtl(agent: Pick<AgentRecord, "createdAt" | "ttlMs">, at: number): void {
    this.#warn(nearTtl(agent, at, this.#options.warnAt));
  }

  #warn(near: readonly NearLimit[]): void {
    const { log, agent, remember } = this.#options;
    for (const { limit, key, words } of near) {
      if (this.#warned.has(key)) continue;
      this.#warned.add(key);
      this.#untold.push(words);
      log.warn({ agent, limit, used: words }, "an agent comes near a limit");
      remember([...this.#warned]);
    }
  }

  /** Returns the warning that the model has not read yet and marks it as read; null without one. */
  takeWarning(): string | null {
    const takeWarning = this.#untold;
    this.#untold = [];
    return takeWarning.length === 0 ? null : warningText(takeWarning);
  }

  /** Returns `text` with the pending warning appended. */
  tell(text: string): string {
    const warning = this.takeWarning();
    return warning === null ? text : `${text}\n\n${warning}`;
  }
}
