import { GitHubError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import { fullName, type RepositoryRef } from "../core/repository.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";
import { relatedFrom } from "./shapes.ts";

/** How a server says that it has no such address, or that the issue is gone. */
const ABSENT = [404, 405, 410];

const isAbsent = (error: unknown): error is GitHubError =>
  error instanceof GitHubError && ABSENT.includes(error.status);

/** GitHub's own record of which issue waits for which, and which is part of which. */
export function createDependencies(room: Room): Pick<GitHub, "addBlockedBy" | "blockedBy" | "parentOf"> {
  const { on } = room;

  const blockersOf = (repository: RepositoryRef, number: number) =>
    pages((page) =>
      on(repository).issues.listDependenciesBlockedBy({ ...at(repository), issue_number: number, ...page }),
    );

  async function isRecorded(repository: RepositoryRef, number: number, blockerId: number): Promise<boolean> {
    for await (const { id } of blockersOf(repository, number)) if (id === blockerId) return true;
    return false;
  }

  /** The same answer says that the issue is gone: then this read throws. Otherwise it is the address that is missing. */
  async function demandIssue(repository: RepositoryRef, number: number): Promise<void> {
    await on(repository).issues.get({ ...at(repository), issue_number: number });
  }

  async function unsupported(repository: RepositoryRef, number: number, error: GitHubError): Promise<never> {
    await demandIssue(repository, number);
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

  return {
    async blockedBy(repository, number) {
      try {
        const blockers = await Array.fromAsync(blockersOf(repository, number));
        return blockers.map(relatedFrom);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        return unsupported(repository, number, error);
      }
    },

    async parentOf(repository, number) {
      try {
        const { data } = await on(repository).issues.getParent({ ...at(repository), issue_number: number });
        return relatedFrom(data);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await demandIssue(repository, number);
        return null;
      }
    },

    async addBlockedBy(repository, number, blocker, where = repository) {
      const { issues } = on(repository, where);
      const { data: blocking } = await on(where).issues.get({ ...at(where), issue_number: blocker });
      try {
        await issues.addBlockedByDependency({
          ...at(repository),
          issue_number: number,
          issue_id: blocking.id,
        });
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        if (error.status === 422 && (await isRecorded(repository, number, blocking.id))) return;
        if (!isAbsent(error)) throw error;
        await unsupported(repository, number, error);
      }
    },
  };
}
