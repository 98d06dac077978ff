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

/** Claims what waits so that repositories, and their owners, take turns by their weights. Each process counts its own turns. */
export class ClaimInTurn {
  readonly #repositories: Pick<RepositoryTable, "get">;
  readonly #weights: Settings["weights"];
  readonly #known = new Map<number, RepositoryRow | undefined>();
  #given: GivenTurns = NO_TURNS;

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
      const except = leftOut(this.#given);
      const rows = await claim(limit - claimed.length, except);
      claimed.push(...rows);
      const isFull = claimed.length >= limit;
      if (!isFull && except === null) {
        this.#given = NO_TURNS;
        this.#known.clear();
        return claimed;
      }
      for (const { repositoryId } of rows) if (repositoryId !== null) await this.#count(repositoryId);
      if (isFull) return claimed;
      this.#given = letIn(this.#given);
    }
  }

  async #count(repositoryId: number): Promise<void> {
    if (!this.#known.has(repositoryId))
      this.#known.set(repositoryId, await this.#repositories.get(repositoryId));
    const repository = this.#known.get(repositoryId);
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
