import { OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { EngineContext } from "./engine-context.ts";

/** Returns the repository under its latest known name. */
export async function repositoryOf(
  context: Pick<EngineContext, "store">,
  repositoryId: number,
): Promise<RepositoryRow> {
  const repository = await context.store.repositories.get(repositoryId);
  if (repository === undefined)
    throw new OutsideError("unknown_repository", `no repository ${repositoryId} is known`, {
      consequence: "stop",
    });
  return repository;
}
