import type { Tenant, Weights } from "../../domain/agents/fair-share.ts";
import {
  countTurn,
  type GivenTurns,
  type LeftOut,
  leftOut,
  letIn,
  NO_TURNS,
} from "../../domain/kernel/claim-turns.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { DeliveryTable, RepositoryTable } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { weightOfInstallation, weightOfRepository } from "../../domain/settings/weights-section.ts";

/**
 * The most claims without a look for others, after looks that found that one repository alone waits: a look passes all that
 * waits of it, and can take longer than a claim where ten thousand wait.
 */
const MOST_UNLOOKED = 7;

/** Claims what waits so that repositories, and their owners, take turns by their weights. Each process counts its own turns. */
export class ClaimInTurn {
  readonly #repositories: Pick<RepositoryTable, "get">;
  readonly #weights: Settings["weights"];
  readonly #known = new Map<number, RepositoryRow>();
  #given: GivenTurns = NO_TURNS;
  /** Claims without a look after the last look that found nobody, and how many of them are left. */
  #unlooked = 0;
  #left = 0;

  constructor(repositories: Pick<RepositoryTable, "get">, weights: Settings["weights"]) {
    this.#repositories = repositories;
    this.#weights = weights;
  }

  /** Claims at most `limit` rows by `claim`, which is called until nothing more waits. Rows of no repository count for nobody. */
  async claim<Row extends { readonly repositoryId: number | null }>(
    limit: number,
    claim: (limit: number, except: LeftOut | null) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const claimed: Row[] = [];
    for (;;) {
      const except = this.#left > 0 ? null : leftOut(this.#given);
      this.#left = Math.max(0, this.#left - 1);
      const rows = await claim(limit - claimed.length, except);
      if (except !== null) this.#looked(except, rows.length);
      claimed.push(...rows);
      const isFull = claimed.length >= limit;
      if (!isFull && except === null) {
        this.#given = NO_TURNS;
        this.#unlooked = 0;
        this.#left = 0;
        this.#known.clear();
        return claimed;
      }
      for (const { repositoryId } of rows) if (repositoryId !== null) await this.#count(repositoryId);
      if (isFull) return claimed;
      this.#given = letIn(this.#given);
    }
  }

  #looked({ repositories }: LeftOut, found: number): void {
    const isAlone = found === 0 && repositories.length === 1;
    this.#unlooked = isAlone ? Math.min(MOST_UNLOOKED, this.#unlooked * 2 + 1) : 0;
    this.#left = this.#unlooked;
  }

  async #count(repositoryId: number): Promise<void> {
    // One that is not recorded yet will be, by the first delivery that is handled.
    const repository = this.#known.get(repositoryId) ?? (await this.#repositories.get(repositoryId));
    if (repository !== undefined) this.#known.set(repositoryId, repository);
    const name = repository === undefined ? "" : fullName(repository);
    const tenant: Tenant = { repositoryId, owner: repository?.owner ?? "" };
    const byWeight: Weights = {
      owner: ({ owner }) => weightOfInstallation(this.#weights, owner),
      repository: () => weightOfRepository(this.#weights, name),
    };
    this.#given = countTurn(this.#given, tenant, byWeight);
  }
}

/** Returns the same inbox, whose claims are in turn. */
export function claimingInTurn(deliveries: DeliveryTable, turns: ClaimInTurn): DeliveryTable {
  return {
    ...deliveries,
    claim: (options) =>
      turns.claim(options.limit, (limit, except) => deliveries.claim({ ...options, limit, except })),
  };
}
