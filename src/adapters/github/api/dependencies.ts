import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { idShape, relatedShape } from "../client/shapes.ts";

/** Statuses with which a server says that the address does not exist, or that the issue is gone. */
const ABSENT = [404, 405, 410];

const isAbsent = (error: unknown): error is GitHubError =>
  error instanceof GitHubError && ABSENT.includes(error.status);

/** Creates the operations on GitHub's own dependencies between issues, and on parent issues. */
export function createDependencies(room: Room): Pick<GitHub, "addBlockedBy" | "blockedBy" | "parentOf"> {
  const { on } = room;

  const blockersOf = <Item>(repository: RepositoryRef, number: number, item: z.ZodType<Item>) =>
    pages(
      (page) =>
        on(repository).issues.listDependenciesBlockedBy({ ...at(repository), issue_number: number, ...page }),
      z.array(item),
    );

  async function isRecorded(repository: RepositoryRef, number: number, blockerId: number): Promise<boolean> {
    for await (const { id } of blockersOf(repository, number, idShape)) if (id === blockerId) return true;
    return false;
  }

  /** The same answer may mean that the issue is gone: then this read throws. Otherwise the address does not exist. */
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
        return await Array.fromAsync(blockersOf(repository, number, relatedShape));
      } catch (error) {
        if (!isAbsent(error)) throw error;
        return unsupported(repository, number, error);
      }
    },

    async parentOf(repository, number) {
      try {
        const asked = on(repository).issues.getParent({ ...at(repository), issue_number: number });
        return await readAnswer(asked, relatedShape);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await demandIssue(repository, number);
        return null;
      }
    },

    async addBlockedBy(repository, number, blocker, where = repository) {
      const { issues } = on(repository, where);
      const blocking = await readAnswer(
        on(where).issues.get({ ...at(where), issue_number: blocker }),
        idShape,
      );
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
