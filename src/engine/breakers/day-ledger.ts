import { dayOf, daySpent } from "../../domain/breakers/day-budget.ts";
import { microUsd } from "../../domain/breakers/money.ts";
import { atMostLargest } from "../../domain/commands/extension.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { Accounts } from "./accounts.ts";

/** A model call that is about to begin, and its maximum cost. */
export interface Call {
  readonly agentId: number;
  readonly repositoryId: number;
  readonly costMicroUsd: number;
  readonly at: number;
}

interface Day {
  readonly day: number;
  spent: number;
  granted: number;
  warned: boolean;
}

/**
 * Tracks what each repository spends per day. Kept in memory, because model calls begin between two database
 * writes; read from the database once, then ahead of it. Where other processes spend as well, `refresh` reads it again
 * from time to time, so that a day costs at most what they spend in between beyond its limit.
 */
export class DayLedger {
  readonly #days = new Map<number, Day>();
  readonly #calls = new Map<number, Call>();
  readonly #settingsOf: (repositoryId: number) => Settings;
  /** What counts beside the repository's day. */
  readonly accounts: Accounts;

  constructor(settingsOf: (repositoryId: number) => Settings) {
    this.#settingsOf = settingsOf;
    this.accounts = new Accounts(settingsOf);
  }

  /** Loads what an earlier process spent; call it before the first model call of the repository. */
  async load(
    tables: Pick<Tables, "budget" | "repositories">,
    repositoryId: number,
    at: number,
  ): Promise<void> {
    await this.accounts.load(tables, repositoryId, at);
    if (this.#days.has(repositoryId)) return;
    const day = dayOf(at);
    const spent = await tables.budget.spent(repositoryId, day);
    const { costMicroUsd: granted } = await tables.budget.granted(repositoryId, day);
    if (!this.#days.has(repositoryId)) this.#days.set(repositoryId, { day, spent, granted, warned: false });
  }

  /** Reads again what is spent today, which other processes may have done; never less than is known here. */
  async refresh(tables: Pick<Tables, "budget" | "repositories">, at: number): Promise<void> {
    await this.accounts.refresh(tables, at);
    for (const [repositoryId, { day }] of this.#days) {
      if (day !== dayOf(at)) continue;
      const spent = await tables.budget.spent(repositoryId, day);
      const { costMicroUsd: granted } = await tables.budget.granted(repositoryId, day);
      const known = this.#today(repositoryId, at);
      if (known.day !== day) continue;
      known.spent = Math.max(known.spent, spent);
      known.granted = Math.max(known.granted, granted);
    }
  }

  /**
   * Reserves the call's cost and returns true; false when the day's or another budget is spent. Replaces an earlier
   * reservation of the same agent.
   */
  begin(call: Call): boolean {
    this.#calls.delete(call.agentId);
    const { repositoryId, at } = call;
    if (daySpent({ ...this.use(repositoryId, at), reserved: this.#reserved((id) => id === repositoryId) }))
      return false;
    if (this.accounts.reached(repositoryId, at, (isMember) => this.#reserved(isMember)) !== null)
      return false;
    this.#calls.set(call.agentId, call);
    return true;
  }

  /** Releases the reservation: the agent's call has ended or will never be made. */
  end(agentId: number): void {
    this.#calls.delete(agentId);
  }

  /**
   * Books the cost. Returns true when this is the first spending of the day above the share `warnAt` of the
   * limit.
   */
  spend(repositoryId: number, costMicroUsd: number, at: number): boolean {
    const day = this.#today(repositoryId, at);
    day.spent += costMicroUsd;
    this.accounts.spend(repositoryId, costMicroUsd, at);
    const { allowed } = this.use(repositoryId, at);
    const near =
      allowed !== null && day.spent >= allowed * this.#settingsOf(repositoryId).limits.defaults.warnAt;
    if (!near || day.warned) return false;
    day.warned = true;
    return true;
  }

  /** Adds an extension that the database already has. Ignores one of an earlier day. */
  raise(repositoryId: number, costMicroUsd: number, at: number): void {
    const day = this.#today(repositoryId, at);
    if (dayOf(at) < day.day) return;
    day.granted = atMostLargest(day.granted + costMicroUsd);
    day.warned = false;
  }

  /** Returns the micro-dollars spent and allowed today; null when the limit is off. */
  use(repositoryId: number, at: number): { readonly spent: number; readonly allowed: number | null } {
    const { maxCostUsd } = this.#settingsOf(repositoryId).repositoryPerDay;
    const { spent, granted } = this.#today(repositoryId, at);
    return { spent, allowed: maxCostUsd === undefined ? null : microUsd(maxCostUsd) + granted };
  }

  #reserved(isMember: (repositoryId: number) => boolean): number {
    let sum = 0;
    for (const call of this.#calls.values()) if (isMember(call.repositoryId)) sum += call.costMicroUsd;
    return sum;
  }

  /** Returns the current day's account; a new day begins with nothing spent and no extension. */
  #today(repositoryId: number, at: number): Day {
    const day = dayOf(at);
    const known = this.#days.get(repositoryId);
    if (known !== undefined && known.day >= day) return known;
    const fresh = { day, spent: 0, granted: 0, warned: false };
    this.#days.set(repositoryId, fresh);
    return fresh;
  }
}
