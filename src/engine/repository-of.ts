import { OutsideError } from "../core/errors.ts";
import type { RepositoryRow } from "../core/rows.ts";
import type { EngineContext } from "./context.ts";

/** The repository under its latest known name. */
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
