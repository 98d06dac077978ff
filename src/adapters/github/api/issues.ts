import { z } from "zod";
import { fullName, type RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHub, GitHubIssue } from "../../../domain/ports/github.ts";
import { seen } from "../client/lagging.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { eventShape, issueShape, relatedShape } from "../client/shapes.ts";

const issuesShape = z.array(issueShape);

/** Each with the address of its repository: the App may see others. */
const foundShape = z.object({ items: z.array(issueShape.and(relatedShape)) });

/** Creates the operations on issues: reads one, its events, or those with a label, opens one of ours, closes one. */
export function createIssues(
  room: Room,
): Pick<
  GitHub,
  "issue" | "issuesWith" | "newestIssues" | "searchIssues" | "events" | "createIssue" | "closeIssue"
> {
  const { on } = room;

  /** Finds an issue that an earlier attempt of ours wrote. */
  async function written(repository: RepositoryRef, key: string): Promise<GitHubIssue | undefined> {
    const { botId, botLogin } = await room.identity();
    const expected = { repositoryId: repository.id, key, botId };
    const ours = pages(
      (page) =>
        on(repository).issues.listForRepo({ ...at(repository), creator: botLogin, state: "all", ...page }),
      issuesShape,
    );
    for await (const issue of ours) if (room.marker.recognises(issue, expected)) return issue;
    return undefined;
  }

  return {
    async issue(repository, number) {
      return readAnswer(on(repository).issues.get({ ...at(repository), issue_number: number }), issueShape);
    },

    async issuesWith(repository, label) {
      const newest = { state: "open", sort: "created", direction: "desc", per_page: 100 } as const;
      const asked = on(repository).issues.listForRepo({ ...at(repository), labels: label, ...newest });
      return (await readAnswer(asked, issuesShape)).filter(({ isPullRequest }) => !isPullRequest);
    },

    async newestIssues(repository, count) {
      const newest = { state: "all", sort: "created", direction: "desc" } as const;
      const issues = pages(
        (page) => on(repository).issues.listForRepo({ ...at(repository), ...newest, ...page }),
        issuesShape,
      );
      const found: GitHubIssue[] = [];
      for await (const issue of issues) {
        if (!issue.isPullRequest) found.push(issue);
        if (found.length >= count) break;
      }
      return found;
    },

    async searchIssues(repository, query, count) {
      const here = fullName(repository);
      const asked = on(repository).search.issuesAndPullRequests({
        q: `repo:${here} ${query}`,
        per_page: count,
      });
      const { items } = await readAnswer(asked, foundShape);
      // The token is this repository's alone, but it also sees every public one.
      return items.filter((found) => found.repository.toLowerCase() === here.toLowerCase());
    },

    async events(repository, number) {
      return Array.fromAsync(
        pages(
          (page) => on(repository).issues.listEvents({ ...at(repository), issue_number: number, ...page }),
          z.array(eventShape),
        ),
      );
    },

    async createIssue(repository, wanted) {
      const { key, title, body, milestone } = wanted;
      const found = seen(await written(repository, key), { ...wanted, clock: room.clock });
      if (found !== undefined) return found;
      const signed = room.marker.sign(repository.id, key, body);
      const created = on(repository).issues.create({
        ...at(repository),
        title,
        body: signed,
        ...(milestone === undefined ? {} : { milestone }),
      });
      return readAnswer(created, issueShape);
    },

    async closeIssue(repository, number) {
      const closed = { state: "closed", state_reason: "completed" } as const;
      await on(repository).issues.update({ ...at(repository), issue_number: number, ...closed });
    },
  };
}
