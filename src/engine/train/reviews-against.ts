import type { TaskRecord } from "../../core/machines/task.ts";
import { reaches } from "../../core/permission.ts";
import type { Account, GitHubReview } from "../../core/ports/github.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import {
  appsAgainst,
  dismissedAmong,
  type ReviewsAgainst,
  requestersOf,
} from "../../core/train/approvals.ts";
import type { EngineContext } from "../context.ts";

/** What reviews on GitHub say against the merge of the commit under review; their webhooks may be late, or lost. */
export async function reviewsAgainst(
  context: EngineContext,
  repository: RepositoryRow,
  { reviews, task }: { readonly reviews: readonly GitHubReview[]; readonly task: TaskRecord },
): Promise<ReviewsAgainst> {
  const head = task.reviewCommit ?? "";
  return {
    requesters: await writersAmong(context, repository, requestersOf(reviews, head)),
    takenBack: dismissedAmong(reviews, task.verdicts).map(({ author }) => author.login),
    apps: appsAgainst(reviews, { head, botId: context.identity.botId }),
  };
}

/** The logins of those who may command. A permission that cannot be read is an error: nothing is merged without it. */
async function writersAmong(
  { github, settings }: EngineContext,
  repository: RepositoryRow,
  people: readonly Account[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const person of people)
    if (reaches(await github.permission(repository, person), settings.policy.whoMayCommand))
      found.push(person.login);
  return found;
}
