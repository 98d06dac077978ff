import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHub, GitHubIssue } from "../../domain/ports/github.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { SeenIssue } from "../../domain/reporting/would-do.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { createWhoMayAsk, type WhoMayAsk } from "../../webhooks/who-may-ask.ts";
import type { Progress } from "../progress.ts";

type Reading = Pick<GitHub, "identity" | "newestIssues" | "events" | "permission">;

/**
 * Reads the newest issues, who put their labels, and whether those people may start agents. Throws
 * `GitHubError`.
 */
export async function seenIssues(
  { github, settings, log, show }: { github: Reading; settings: Settings; log: Log } & Progress,
  repository: RepositoryRow,
  count: number,
): Promise<readonly SeenIssue[]> {
  const identity = await github.identity();
  const may = createWhoMayAsk({ settings, github, identity, log, unread: () => {} });
  const issues = await github.newestIssues(repository, count);
  const seen: SeenIssue[] = [];
  for (const [index, issue] of issues.entries()) {
    show(`issues of ${fullName(repository)} are read`, index, issues.length);
    seen.push(await seenIssue({ github, may, botId: identity.botId }, repository, issue));
  }
  return seen;
}

async function seenIssue(
  { github, may, botId }: { github: Reading; may: WhoMayAsk; botId: number },
  repository: RepositoryRow,
  issue: GitHubIssue,
): Promise<SeenIssue> {
  const events = issue.labels.length === 0 ? [] : await github.events(repository, issue.number);
  const labels: SeenIssue["labels"][number][] = [];
  for (const label of issue.labels) {
    const put = events.findLast((one) => one.event === "labeled" && one.label === label);
    // Labels that an issue was opened with count as put by its author.
    const by = put?.actor ?? issue.author;
    labels.push({ label, by, permitted: await may(repository, by), own: by.id === botId });
  }
  return { issue, authorPermitted: await may(repository, issue.author), labels };
}
