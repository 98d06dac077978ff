import type { GitHub, GitHubIssue } from "../core/ports/github.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { seen } from "./lagging.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";
import { eventFrom, issueFrom } from "./shapes.ts";

/** Issues: reading one, what happened to it, or those with a label, and opening one of ours. */
export function createIssues(
  room: Room,
): Pick<GitHub, "issue" | "issuesWith" | "newestIssues" | "events" | "createIssue"> {
  const { on } = room;

  /** What an earlier try of ours left. */
  async function written(repository: RepositoryRef, key: string): Promise<GitHubIssue | undefined> {
    const { botId, botLogin } = await room.identity();
    const expected = { repositoryId: repository.id, key, botId };
    const ours = pages((page) =>
      on(repository).issues.listForRepo({ ...at(repository), creator: botLogin, state: "all", ...page }),
    );
    for await (const raw of ours) {
      const issue = issueFrom(raw);
      if (room.mark.recognises(issue, expected)) return issue;
    }
    return undefined;
  }

  return {
    async issue(repository, number) {
      const { data } = await on(repository).issues.get({ ...at(repository), issue_number: number });
      return issueFrom(data);
    },

    async issuesWith(repository, label) {
      const newest = { state: "open", sort: "created", direction: "desc", per_page: 100 } as const;
      const { data } = await on(repository).issues.listForRepo({
        ...at(repository),
        labels: label,
        ...newest,
      });
      return data.map(issueFrom).filter(({ isPullRequest }) => !isPullRequest);
    },

    async newestIssues(repository, count) {
      const newest = { state: "all", sort: "created", direction: "desc" } as const;
      const raw = pages((page) =>
        on(repository).issues.listForRepo({ ...at(repository), ...newest, ...page }),
      );
      const found: GitHubIssue[] = [];
      for await (const one of raw) {
        const issue = issueFrom(one);
        if (!issue.isPullRequest) found.push(issue);
        if (found.length >= count) break;
      }
      return found;
    },

    async events(repository, number) {
      const raw = pages((page) =>
        on(repository).issues.listEvents({ ...at(repository), issue_number: number, ...page }),
      );
      return Array.fromAsync(raw, eventFrom);
    },

    async createIssue(repository, wanted) {
      const { key, title, body, milestone } = wanted;
      const found = seen(await written(repository, key), { ...wanted, clock: room.clock });
      if (found !== undefined) return found;
      const signed = room.mark.sign(repository.id, key, body);
      const { data } = await on(repository).issues.create({
        ...at(repository),
        title,
        body: signed,
        ...(milestone === undefined ? {} : { milestone }),
      });
      return issueFrom(data);
    },
  };
}
