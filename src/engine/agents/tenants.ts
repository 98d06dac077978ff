import type { Tenant, Weights } from "../../domain/agents/fair-share.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import { weightOfInstallation, weightOfRepository } from "../../domain/settings/weights-section.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

type Placed = { readonly repositoryId: number };

/** Reads whose agents wait; nothing where all are of one repository, which has no one to take turns with. */
export async function tenants(
  { store, settings }: EngineContext,
  waiting: readonly Placed[],
): Promise<{ readonly tenantOf: (one: Placed) => Tenant; readonly weights: Weights }> {
  const several = waiting.some(({ repositoryId }) => repositoryId !== waiting[0]?.repositoryId);
  const known = new Map((several ? await store.repositories.all() : []).map((one) => [one.id, one]));
  const nameOf = ({ repositoryId }: Placed) => {
    const repository = known.get(repositoryId);
    return repository === undefined ? "" : fullName(repository);
  };
  return {
    tenantOf: ({ repositoryId }) => ({ repositoryId, owner: known.get(repositoryId)?.owner ?? "" }),
    weights: {
      owner: ({ owner }) => weightOfInstallation(settings.weights, owner),
      repository: (tenant) => weightOfRepository(settings.weights, nameOf(tenant)),
    },
  };
}
