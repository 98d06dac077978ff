import { aboutMinutes } from "../../domain/messages/format.ts";
import type { GitHubWork } from "../../domain/ports/github-app.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Why an agent does not begin: it would only wait at its work, in a slot. */
export const NO_GITHUB_ROOM = "GitHub's limits leave no room for more work at the moment";

/** Returns whether GitHub's limits leave the repository's installation room for an agent. Logs the first refusal of a row. */
export async function hasGitHubRoom(
  { githubRoom, room, log, clock }: Pick<EngineContext, "githubRoom" | "room" | "log" | "clock">,
  { repositories }: Pick<Tables, "repositories">,
  { repositoryId, work }: { readonly repositoryId: number; readonly work: GitHubWork },
): Promise<boolean> {
  // Nearly always there is room for all, and then nobody has to know whose repository it is.
  if (githubRoom.noRoomUntil(null, work) === null) {
    if (work === "start") room.limited.clear();
    return true;
  }
  const installation = (await repositories.get(repositoryId))?.installationId;
  if (installation === undefined) return true;
  const until = githubRoom.noRoomUntil(installation, work);
  if (until === null) {
    if (work === "start") room.limited.delete(installation);
    return true;
  }
  if (!room.limited.has(installation)) {
    room.limited.add(installation);
    const next = `they begin ${aboutMinutes(until - clock.now())}`;
    log.info({ installation, next }, "GitHub's limits are nearly used up: agents wait before they begin");
  }
  return false;
}
