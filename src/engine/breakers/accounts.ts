import { type BudgetInForce, beginsOn, budgetsInForce } from "../../domain/breakers/budgets.ts";
import { daySpent } from "../../domain/breakers/day-budget.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";

interface Account {
  /** The first day of its period. */
  readonly from: number;
  spent: number;
}

/**
 * Tracks what repositories and installations spend in the periods of `circuit_breakers.budgets`. Kept in memory like
 * `DayLedger`: read from the database once, then ahead of it.
 */
export class Accounts {
  readonly #settingsOf: (repositoryId: number) => Settings;
  readonly #accounts = new Map<string, Account>();
  readonly #installations = new Map<number, number>();
  /** Each budget that was read, with one of its repositories. */
  readonly #budgets = new Map<string, { readonly budget: BudgetInForce; readonly repositoryId: number }>();

  constructor(settingsOf: (repositoryId: number) => Settings) {
    this.#settingsOf = settingsOf;
  }

  /** Loads what earlier processes spent; call it before the first model call of the repository. */
  async load(
    tables: Pick<Tables, "budget" | "repositories">,
    repositoryId: number,
    at: number,
  ): Promise<void> {
    const inForce = this.#inForce(repositoryId);
    if (inForce.some(({ of }) => of === "installation") && !this.#installations.has(repositoryId)) {
      const repository = await tables.repositories.get(repositoryId);
      if (repository !== undefined) this.#installations.set(repositoryId, repository.installationId);
    }
    for (const budget of inForce) {
      const key = this.#keyOf(budget, repositoryId);
      this.#budgets.set(key, { budget, repositoryId });
      if (this.#accounts.has(key)) continue;
      const from = beginsOn(budget, at);
      const spent = await tables.budget.spentSince(await this.#members(tables, budget, repositoryId), from);
      if (!this.#accounts.has(key)) this.#accounts.set(key, { from, spent });
    }
  }

  /** Reads again what is spent, which other processes may have done; never less than is known here. */
  async refresh(tables: Pick<Tables, "budget" | "repositories">, at: number): Promise<void> {
    for (const [key, { budget, repositoryId }] of this.#budgets) {
      const from = beginsOn(budget, at);
      const spent = await tables.budget.spentSince(await this.#members(tables, budget, repositoryId), from);
      const known = this.#accounts.get(key);
      if (known?.from === from) known.spent = Math.max(known.spent, spent);
    }
  }

  /**
   * Returns the first budget that forbids another model call; null when none does. `reserved` returns what the calls in
   * progress, or the other working agents, of these repositories can still cost.
   */
  reached(
    repositoryId: number,
    at: number,
    reserved: (isMember: (repositoryId: number) => boolean) => number,
  ): BudgetInForce | null {
    const spent = (budget: BudgetInForce) =>
      daySpent({
        spent: this.#now(budget, repositoryId, at).spent,
        reserved: reserved((other) => this.#keyOf(budget, other) === this.#keyOf(budget, repositoryId)),
        allowed: budget.allowed,
      });
    return this.#inForce(repositoryId).find(spent) ?? null;
  }

  spend(repositoryId: number, costMicroUsd: number, at: number): void {
    for (const budget of this.#inForce(repositoryId))
      this.#now(budget, repositoryId, at).spent += costMicroUsd;
  }

  /** Returns the ids of the repositories that share the budget with this one. */
  async #members(
    { repositories }: Pick<Tables, "repositories">,
    { of }: BudgetInForce,
    repositoryId: number,
  ): Promise<readonly number[]> {
    const installation = this.#installations.get(repositoryId);
    if (of === "repository" || installation === undefined) return [repositoryId];
    return (await repositories.ofInstallation(installation)).map(({ id }) => id);
  }

  #inForce(repositoryId: number): readonly BudgetInForce[] {
    return budgetsInForce(this.#settingsOf(repositoryId).budgets);
  }

  #keyOf({ name, of }: BudgetInForce, repositoryId: number): string {
    return `${name} ${of === "repository" ? repositoryId : (this.#installations.get(repositoryId) ?? `of ${repositoryId}`)}`;
  }

  /** Returns the account of the present period; a new period begins with nothing spent. */
  #now(budget: BudgetInForce, repositoryId: number, at: number): Account {
    const key = this.#keyOf(budget, repositoryId);
    const from = beginsOn(budget, at);
    const known = this.#accounts.get(key);
    if (known !== undefined && known.from >= from) return known;
    const fresh = { from, spent: 0 };
    this.#accounts.set(key, fresh);
    return fresh;
  }
}
