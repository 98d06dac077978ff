import type { GitHub } from "../core/ports/github.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";
import { eventFrom, issueFrom } from "./shapes.ts";

/** Issues: reading one, what happened to it, or those with a label, and opening one of ours. */
export function createIssues(room: Room): Pick<GitHub, "issue" | "issuesWith" | "events" | "createIssue"> {
  const { on } = room;
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

    async events(repository, number) {
      const raw = pages((page) =>
        on(repository).issues.listEvents({ ...at(repository), issue_number: number, ...page }),
      );
      return Array.fromAsync(raw, eventFrom);
    },

    async createIssue(repository, { key, title, body, milestone }) {
      const { botId, botLogin } = await room.identity();
      const expected = { repositoryId: repository.id, key, botId };
      const ours = pages((page) =>
        on(repository).issues.listForRepo({ ...at(repository), creator: botLogin, state: "all", ...page }),
      );
      for await (const raw of ours) {
        const issue = issueFrom(raw);
        if (room.mark.recognises(issue, expected)) return issue;
      }
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
