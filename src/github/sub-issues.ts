import { z } from "zod";
import { GitHubError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { at, pages } from "./pages.ts";
import { readAnswer } from "./read-answer.ts";
import type { Room } from "./room.ts";
import { idShape, relatedShape } from "./shapes.ts";

/** How a server says that it has no such address, or that the issue is gone. */
const ABSENT = [404, 405, 410];

/** The parts of an issue. */
export function createSubIssues({ on }: Room): Pick<GitHub, "subIssues" | "addSubIssue"> {
  /** GitHub refuses what is recorded already. */
  async function isPart(repository: RepositoryRef, number: number, part: number): Promise<boolean> {
    const asked = on(repository).issues.getParent({ ...at(repository), issue_number: part });
    return (await readAnswer(asked, relatedShape)).number === number;
  }

  return {
    async subIssues(repository, number) {
      const wanted = { ...at(repository), issue_number: number };
      try {
        return await Array.fromAsync(
          pages((page) => on(repository).issues.listSubIssues({ ...wanted, ...page }), z.array(relatedShape)),
        );
      } catch (error) {
        if (!(error instanceof GitHubError) || !ABSENT.includes(error.status)) throw error;
        // The same answer says that the issue is gone: then this read throws.
        await on(repository).issues.get(wanted);
        return [];
      }
    },

    async addSubIssue(repository, number, part) {
      const { issues } = on(repository);
      const wanted = { ...at(repository), issue_number: number };
      const child = await readAnswer(issues.get({ ...at(repository), issue_number: part }), idShape);
      try {
        await issues.addSubIssue({ ...wanted, sub_issue_id: child.id });
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        if (error.status === 422 && (await isPart(repository, number, part))) return;
        if (!ABSENT.includes(error.status)) throw error;
        await issues.get(wanted);
        throw new GitHubError("unsupported", "the server keeps no sub-issues", error.status, {
          consequence: "stop",
          advice: "Nothing to do: the issue says in its text of which one it is a part.",
        });
      }
    },
  };
}
