import { renderAccount, renderOrganization } from "../render/account.ts";
import { renderRepository } from "../render/repository.ts";
import { type Happening, nodeId, type World } from "../world/world.ts";

/** Builds the whole payload of a webhook: the fields of the event, and those that GitHub adds to every event. */
export function buildPayload(world: World, happening: Happening): Record<string, unknown> {
  const { action, fields, repository, sender } = happening;
  const { id } = world.installation;
  return {
    ...(action === null ? {} : { action }),
    ...(repository === null ? {} : { repository: renderRepository(world, repository) }),
    organization: renderOrganization(world),
    sender: renderAccount(world, sender),
    installation: { id, node_id: nodeId("Installation", id) },
    ...fields,
  };
}
