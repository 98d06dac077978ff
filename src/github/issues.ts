import type { GitHub } from "../core/ports/github.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";
import { issueFrom } from "./shapes.ts";

/** Issues: reading one or those with a label, and opening one of ours. */
export function createIssues(room: Room): Pick<GitHub, "issue" | "issuesWith" | "createIssue"> {
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

    async createIssue(repository, { key, title, body }) {
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
      const { data } = await on(repository).issues.create({ ...at(repository), title, body: signed });
      return issueFrom(data);
    },
  };
}
