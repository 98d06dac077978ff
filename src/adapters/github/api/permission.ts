import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHub, Permission } from "../../../domain/ports/github.ts";
import { at } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";

const KNOWN_FOR_MS = 60_000;
const LEVELS: readonly Permission[] = ["admin", "maintain", "write", "triage", "read", "none"];

/** Older servers have no `role_name`. An unknown level counts as none. */
const shape = z.object({
  permission: z.string(),
  role_name: z.string().nullish(),
  user: z.object({ id: z.int() }).nullish(),
});

type Who = Parameters<GitHub["permission"]>[1];

/**
 * Creates the read of a person's permission in a repository. It caches answers for a minute, because one comment needs
 * several. The cache key is the account's id if it is known, so that nobody inherits a permission with a login.
 */
export function createPermission(room: Room): GitHub["permission"] {
  const known = new Map<string, { permission: Permission; until: number }>();
  return async (repository, who) => {
    const now = room.clock.now();
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
    const key = `${repository.id} ${who.id ?? who.login.toLowerCase()}`;
    if (who.fresh === true) known.delete(key);
    const permission = known.get(key)?.permission ?? (await readPermission(room, repository, who));
    if (!known.has(key)) known.set(key, { permission, until: now + KNOWN_FOR_MS });
    return permission;
  };
}

async function readPermission(
  room: Room,
  repository: RepositoryRef,
  { login, id }: Who,
): Promise<Permission> {
  try {
    const { repos } = room.on(repository);
    const asked = repos.getCollaboratorPermissionLevel({ ...at(repository), username: login });
    const data = await readAnswer(asked, shape);
    // The login may belong to a different account by now.
    if (id !== null && data.user?.id !== id) return "none";
    // `permission` has no values for maintain and triage; `role_name` has, but may name a custom role of the
    // organization.
    return levelOf(data.role_name) ?? levelOf(data.permission) ?? "none";
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return "none";
    throw error;
  }
}

function levelOf(name: string | null | undefined): Permission | undefined {
  return LEVELS.find((level) => level === name);
}
