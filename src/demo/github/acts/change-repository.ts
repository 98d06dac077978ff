import { ApiError } from "../http/answer.ts";
import type { Account, Repository } from "../world/records.ts";
import { fullNameOf, type World } from "../world/world.ts";

const emit = (
  world: World,
  repository: Repository,
  sender: Account,
  action: string,
  fields: Record<string, unknown> = {},
): void => world.emit({ event: "repository", action, repository, sender, fields });

/** Renames a repository. Requests for the old name are redirected. */
export function renameRepository(world: World, repository: Repository, sender: Account, name: string): void {
  const { name: from } = repository;
  if (name === from) return;
  const { repositories } = world;
  const key = (named: string): string => `${repository.owner.login}/${named}`.toLowerCase();
  if (repositories.has(key(name)))
    throw new ApiError(422, "Validation Failed", {
      errors: [{ resource: "Repository", code: "custom", field: "name", message: "name already exists" }],
    });
  world.renamed.set(fullNameOf(repository).toLowerCase(), repository);
  world.renamed.delete(key(name));
  repository.name = name;
  // Reinserts all of them, so that each keeps its place: the first one is the default.
  const all = [...repositories.values()];
  repositories.clear();
  for (const one of all) repositories.set(fullNameOf(one).toLowerCase(), one);
  emit(world, repository, sender, "renamed", { changes: { repository: { name: { from } } } });
}

/** Archives a repository, or unarchives it. */
export function archiveRepository(
  world: World,
  repository: Repository,
  sender: Account,
  archived: boolean,
): void {
  if (repository.archived === archived) return;
  repository.archived = archived;
  emit(world, repository, sender, archived ? "archived" : "unarchived");
}
