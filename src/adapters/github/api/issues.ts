import { z } from "zod";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHub, GitHubIssue } from "../../../domain/ports/github.ts";
import { seen } from "../client/lagging.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { eventShape, issueShape } from "../client/shapes.ts";

const issuesShape = z.array(issueShape);

/** Creates the operations on issues: reads one, its events, or those with a label, and opens one of ours. */
export function createIssues(
  room: Room,
): Pick<GitHub, "issue" | "issuesWith" | "newestIssues" | "events" | "createIssue"> {
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
  };
}
