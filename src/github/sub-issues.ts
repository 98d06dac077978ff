import { GitHubError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";
import { relatedFrom } from "./shapes.ts";

/** How a server says that it has no such address, or that the issue is gone. */
const ABSENT = [404, 405, 410];

/** The parts of an issue. */
export function createSubIssues({ on }: Room): Pick<GitHub, "subIssues"> {
  return {
    async subIssues(repository, number) {
      const wanted = { ...at(repository), issue_number: number };
      try {
        const found = pages((page) => on(repository).issues.listSubIssues({ ...wanted, ...page }));
        return (await Array.fromAsync(found)).map(relatedFrom);
      } catch (error) {
        if (!(error instanceof GitHubError) || !ABSENT.includes(error.status)) throw error;
        // The same answer says that the issue is gone: then this read throws.
        await on(repository).issues.get(wanted);
        return [];
      }
    },
  };
}
