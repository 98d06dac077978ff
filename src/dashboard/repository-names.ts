import type { Tables } from "../core/ports/store.ts";
import { fullName } from "../core/repository.ts";

/** Says how the repository with an id is called; by its number where nobody has heard of it. */
export async function repositoryNames({
  repositories,
}: Pick<Tables, "repositories">): Promise<(id: number) => string> {
  const names = new Map((await repositories.all()).map((each) => [each.id, fullName(each)]));
  return (id) => names.get(id) ?? String(id);
}
