import { renderInstallation } from "../render/app.ts";
import type { Account, Repository } from "../world/records.ts";
import { fullNameOf, nodeId, now, type World } from "../world/world.ts";

function renderBrief(repository: Repository): Record<string, unknown> {
  return {
    id: repository.id,
    node_id: nodeId("Repository", repository.id),
    name: repository.name,
    full_name: fullNameOf(repository),
    private: repository.private,
  };
}

/** Emits that the App was installed, uninstalled, suspended or unsuspended. */
export function emitInstallation(
  world: World,
  sender: Account,
  action: "created" | "deleted" | "suspend" | "unsuspend",
): void {
  const covered = [...world.repositories.values()].filter(({ id }) =>
    world.installation.repositories.has(id),
  );
  if (action === "suspend") world.installation.suspendedAt = now(world);
  if (action === "unsuspend") world.installation.suspendedAt = null;
  const fields = {
    installation: renderInstallation(world),
    repositories: covered.map(renderBrief),
    requester: null,
  };
  world.emit({ event: "installation", action, repository: null, sender, fields });
}

/** Adds a repository to the installation, or removes it. Does nothing if it is already so. */
export function setInstalled(
  world: World,
  sender: Account,
  repository: Repository,
  installed: boolean,
): void {
  const { repositories } = world.installation;
  if (repositories.has(repository.id) === installed) return;
  if (installed) repositories.add(repository.id);
  else repositories.delete(repository.id);
  const fields = {
    installation: renderInstallation(world),
    repository_selection: "selected",
    repositories_added: installed ? [renderBrief(repository)] : [],
    repositories_removed: installed ? [] : [renderBrief(repository)],
    requester: null,
  };
  const action = installed ? "added" : "removed";
  world.emit({ event: "installation_repositories", action, repository: null, sender, fields });
}
