import { GitHubError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import { fullName, type RepositoryRef } from "../core/repository.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";

/** GitHub's own record of which issue waits for which. */
export function createDependencies(room: Room): Pick<GitHub, "addBlockedBy"> {
  const { on } = room;

  async function isRecorded(repository: RepositoryRef, number: number, blockerId: number): Promise<boolean> {
    const blockers = pages((page) =>
      on(repository).issues.listDependenciesBlockedBy({ ...at(repository), issue_number: number, ...page }),
    );
    for await (const { id } of blockers) if (id === blockerId) return true;
    return false;
  }

  return {
    async addBlockedBy(repository, number, blocker) {
      const { issues } = on(repository);
      const { data: blocking } = await issues.get({ ...at(repository), issue_number: blocker });
      try {
        await issues.addBlockedByDependency({
          ...at(repository),
          issue_number: number,
          issue_id: blocking.id,
        });
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        if (error.status === 422 && (await isRecorded(repository, number, blocking.id))) return;
        if (![404, 405, 410].includes(error.status)) throw error;
        // The same 404 says that the issue is gone: then this read throws. Otherwise it is the address that is missing.
        await issues.get({ ...at(repository), issue_number: number });
        throw new GitHubError(
          "unsupported",
          `${fullName(repository)} keeps no issue dependencies`,
          error.status,
          {
            consequence: "stop",
            advice: "Nothing to do: the comment on the issue names the blocker, and Flotilla knows it.",
          },
        );
      }
    },
  };
}
