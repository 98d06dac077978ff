import type { Account, GitHubEvent, GitHubReview } from "../../src/core/ports/github.ts";
import { type FakeRepository, person } from "./github-world.ts";

/** Ids of events and reviews are unique on a server. */
let last = 500_000;

/** Who did it and when; GitHub keeps whole seconds. */
export interface Did {
  readonly by?: Account;
  readonly at?: number;
}

const seconds = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Puts it into the list of events of an issue or pull request. */
export function happened(
  repository: FakeRepository,
  number: number,
  event: string,
  {
    by = person("alice"),
    at = 0,
    ...fields
  }: Did & Partial<Pick<GitHubEvent, "label" | "assignee" | "commit">> = {},
): GitHubEvent {
  last += 1;
  const kept = { label: null, assignee: null, commit: null, ...fields };
  const added = { id: last, event, actor: by, createdAt: seconds(at), ...kept };
  repository.events.set(number, [...(repository.events.get(number) ?? []), added]);
  return added;
}

export function addReview(
  repository: FakeRepository,
  pull: number,
  { by = person("alice"), at = 0, verdict, body }: Did & Pick<GitHubReview, "verdict" | "body">,
): GitHubReview {
  last += 1;
  const url = `${repository.pulls.get(pull)?.url}#pullrequestreview-${last}`;
  const added = { id: last, verdict, body, author: by, submittedAt: seconds(at), url };
  repository.reviews.set(pull, [...(repository.reviews.get(pull) ?? []), added]);
  return added;
}
