import { readComment } from "../../src/domain/commands/command.ts";
import type { DomainEvent, DomainEventOf } from "../../src/domain/events/domain-event.ts";
import type { CommitCheck } from "../../src/domain/ports/github.ts";
import { aDomainEvent, aRepository } from "../factories/an-occurrence.ts";
import {
  addComment,
  addReview,
  close as closeOnGitHub,
  dismissReview,
  happened,
  person,
} from "../fakes/github-world.ts";
import type { Rig } from "./rig.ts";

/** Where people act. */
type Place = Pick<Rig, "clock" | "repository" | "worktrees"> & { deliveries: number };

/** What people do on GitHub: the fake GitHub changes, and the engine is told as by a delivery. */
export interface By {
  readonly by?: string;
  readonly delivery?: string;
}

export function base(rig: Place, { by = "alice", delivery }: By) {
  rig.deliveries += 1;
  return {
    delivery: delivery ?? `d-${rig.deliveries}`,
    at: rig.clock.now(),
    repository: aRepository({ private: rig.repository.private }),
    actor: person(by),
    permitted: rig.repository.permissions.get(by) === "write",
  };
}

const did = (rig: Place, { by = "alice" }: By) => ({ by: person(by), at: rig.clock.now() });

export function issueOf(rig: Place, number: number) {
  const issue = rig.repository.issues.get(number);
  if (issue === undefined) throw new Error(`there is no issue ${number}`);
  return issue;
}

/** As it stands when it is called; handed to the engine by `tell`. */
export function labeled(
  rig: Place,
  number: number,
  options: By & {
    label?: string;
    personPull?: number;
    strangersPulls?: readonly number[];
    own?: boolean;
  } = {},
): DomainEvent {
  const issue = issueOf(rig, number);
  const { label = "feature", personPull = null, strangersPulls = [], own = false } = options;
  issue.labels = [...new Set([...issue.labels, label])];
  return aDomainEvent("issue_labeled", {
    ...base(rig, options),
    issue: { ...issue },
    label,
    own,
    personPull,
    strangersPulls,
  });
}

export function unlabeled(rig: Place, number: number, label: string, options: By = {}): DomainEvent {
  const issue = issueOf(rig, number);
  issue.labels = issue.labels.filter((one) => one !== label);
  happened(rig.repository, number, "unlabeled", { ...did(rig, options), label });
  return aDomainEvent("issue_unlabeled", { ...base(rig, options), issue: { ...issue }, label });
}

export function closed(
  rig: Place,
  number: number,
  options: By & { merged?: number } = {},
): DomainEventOf<"issue_closed"> {
  closeOnGitHub(rig.repository, number, did(rig, options));
  const { merged } = options;
  const mergedPull = merged === undefined ? null : { number: merged, commit: "c".repeat(40) };
  return aDomainEvent("issue_closed", {
    ...base(rig, options),
    issue: { ...issueOf(rig, number) },
    mergedPull,
  });
}

export function reopened(rig: Place, number: number, options: By = {}): DomainEvent {
  const issue = Object.assign(issueOf(rig, number), { state: "open" as const, stateReason: "reopened" });
  return aDomainEvent("issue_reopened", { ...base(rig, options), issue: { ...issue } });
}

export function blockerChanged(
  rig: Place,
  number: number,
  blocker: number,
  { added, ...options }: By & { added: boolean },
): DomainEvent {
  return aDomainEvent("blocker_changed", {
    ...base(rig, options),
    issue: { ...issueOf(rig, number) },
    blocker: { repository: "acme/shop", number: blocker },
    added,
  });
}

export function assigned(rig: Place, number: number, login: string, options: By = {}): DomainEvent {
  const issue = issueOf(rig, number);
  issue.assignees = [person(login)];
  happened(rig.repository, number, "assigned", { ...did(rig, options), assignee: person(login) });
  return aDomainEvent("issue_assigned", {
    ...base(rig, options),
    issue: { ...issue },
    assignee: person(login),
  });
}

/** Commits that a person pushes to a branch. */
export function pushed(
  rig: Place,
  headRef: string,
  files: Readonly<Record<string, string>>,
  options: By = {},
): DomainEventOf<"pushed"> {
  const tip = rig.worktrees.serverCommit(headRef, files);
  return aDomainEvent("pushed", { ...base(rig, options), headRef, tip });
}

/** Deleted, or moved to the place that is named. */
export function gone(rig: Place, number: number, to: string | null = null): DomainEvent {
  const issue = { ...issueOf(rig, number) };
  rig.repository.issues.delete(number);
  return aDomainEvent("issue_gone", { ...base(rig, {}), issue, to });
}

export function locked(rig: Place, number: number, is: boolean, options: By = {}): DomainEvent {
  const issue = Object.assign(issueOf(rig, number), { locked: is });
  happened(rig.repository, number, is ? "locked" : "unlocked", did(rig, options));
  return aDomainEvent("issue_locked", { ...base(rig, options), issue: { ...issue }, locked: is });
}

export function edited(rig: Place, number: number, text: string, options: By = {}): DomainEvent {
  const issue = issueOf(rig, number);
  const was = { title: issue.title, body: issue.body };
  issue.body = text;
  return aDomainEvent("issue_edited", { ...base(rig, options), issue: { ...issue }, was });
}

/** A comment on an issue, with whatever command is in it. */
export function said(rig: Place, number: number, body: string, options: By = {}): DomainEvent {
  const author = person(options.by ?? "alice");
  const { id, url } = addComment(rig.repository, number, { body, author, at: rig.clock.now() });
  const { command, mention } = readComment(body, "flotilla");
  return aDomainEvent("commented", {
    ...base(rig, options),
    issue: { ...issueOf(rig, number) },
    commentId: id,
    url,
    body,
    command,
    mention,
  });
}

export function pullClosed(
  rig: Place,
  number: number,
  options: By & { merged: boolean },
): DomainEventOf<"pull_closed"> {
  closeOnGitHub(rig.repository, number, { ...did(rig, options), merged: options.merged });
  const headRef = rig.repository.pulls.get(number)?.headRef ?? "";
  const mergeCommit = options.merged ? "c".repeat(40) : null;
  return aDomainEvent("pull_closed", {
    ...base(rig, options),
    pull: number,
    headRef,
    merged: options.merged,
    mergeCommit,
  });
}

export function reviewed(
  rig: Place,
  number: number,
  verdict: DomainEventOf<"reviewed">["verdict"],
  options: By & { body?: string; commit?: string | null } = {},
): DomainEvent {
  const pull = rig.repository.pulls.get(number);
  const headRef = pull?.headRef ?? "";
  const ended = pull?.merged === true ? "merged" : pull?.state === "closed" ? "closed" : null;
  const body = options.body ?? "Please add a test.";
  const { commit = rig.worktrees.serverHead(headRef) } = options;
  const { id } = addReview(rig.repository, number, { ...did(rig, options), verdict, commit, body });
  return aDomainEvent("reviewed", {
    ...base(rig, options),
    pull: number,
    headRef,
    ended,
    source: `review:${id}`,
    verdict,
    reviewedCommit: commit,
    body,
  });
}

/** Takes a review back. */
export function dismissed(
  rig: Place,
  number: number,
  reviewer: string,
  options: By = {},
): DomainEventOf<"review_dismissed"> {
  const headRef = rig.repository.pulls.get(number)?.headRef ?? "";
  dismissReview(rig.repository, number, reviewer);
  return aDomainEvent("review_dismissed", {
    ...base(rig, options),
    pull: number,
    headRef,
    reviewer: person(reviewer),
    reviewedCommit: rig.worktrees.serverHead(headRef),
  });
}

/** Another App reports on the head of the agent's branch; GitHub knows it and tells that something changed. */
export function checked(
  rig: Place,
  checks: Readonly<Record<string, CommitCheck["state"]>>,
  branch = "flotilla/feat-dev/issue-1",
): DomainEvent {
  const commit = rig.worktrees.serverHead(branch) ?? "";
  const changedAt = new Date(rig.clock.now()).toISOString();
  const conclusion = { pending: "in_progress", green: "success", red: "failure" };
  rig.repository.checks.set(
    commit,
    Object.entries(checks).map(([name, state]) => ({
      name,
      state,
      conclusion: conclusion[state],
      changedAt,
    })),
  );
  return aDomainEvent("checks_changed", { ...base(rig, {}), commit });
}

/** Tells the engine, and waits until nothing is under way. */
export async function tell(rig: Rig, ...occurrences: readonly DomainEvent[]): Promise<void> {
  for (const event of occurrences) await rig.engine.handle(event);
  await rig.idle();
}
