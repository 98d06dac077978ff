import type { DomainEventOf, PersonsPull } from "../../src/domain/events/domain-event.ts";
import { aDomainEvent } from "../factories/an-occurrence.ts";
import { addPull, close, person } from "../fakes/github-world.ts";
import { type By, base, issueOf, said } from "./people.ts";
import type { Rig } from "./rig.ts";
import type { Conversation, Step } from "./scripts.ts";

/** What the reviewer of a person's pull request says, in order. */
export function reviewingPull(pull: number, ...steps: readonly Step[]): Conversation {
  return { match: `Review commit .* of pull request #${pull} of`, steps: [...steps] };
}

/** A person's pull request, from a branch of the repository or of a fork, with one file that it adds. */
export function personsPull(
  rig: Rig,
  {
    by = "alice",
    head = "json",
    fork,
    ...fields
  }: By & { head?: string; fork?: string; draft?: boolean } = {},
): number {
  const pull = addPull(rig.repository, {
    title: "Print JSON",
    body: "It prints rows as JSON.",
    draft: fields.draft ?? false,
    author: person(by),
    head,
    base: "main",
  });
  pull.headSha = rig.worktrees.serverCommit(head, { "json.ts": "export {};" });
  if (fork !== undefined) Object.assign(pull, { headRepository: fork });
  return pull.number;
}

function headOf(rig: Rig, number: number): PersonsPull {
  const pull = rig.repository.pulls.get(number);
  if (pull === undefined) throw new Error(`there is no pull request ${number}`);
  const { draft, merged, headRef, headSha, headRepository, baseRef } = pull;
  return { draft, merged, headRef, headSha, headRepository, baseRef };
}

/** A comment on a person's pull request. */
export function saidOnPull(rig: Rig, number: number, body: string, options: By = {}) {
  return { ...said(rig, number, body, options), theirs: headOf(rig, number) };
}

type Happened = DomainEventOf<"persons_pull">["happened"];

export function pullHappened(
  rig: Rig,
  number: number,
  happened: Happened,
  options: By & { label?: string } = {},
): DomainEventOf<"persons_pull"> {
  if (happened === "closed") close(rig.repository, number, { by: person(options.by ?? "alice") });
  if (options.label !== undefined) {
    const issue = issueOf(rig, number);
    issue.labels = [...issue.labels, options.label];
  }
  return aDomainEvent("persons_pull", {
    ...base(rig, options),
    issue: { ...issueOf(rig, number) },
    theirs: headOf(rig, number),
    happened,
    label: options.label ?? null,
  });
}

/** A person pushes to the pull request's branch. */
export function pushedToPull(rig: Rig, number: number, options: By = {}): DomainEventOf<"persons_pull"> {
  const pull = rig.repository.pulls.get(number);
  if (pull !== undefined) pull.headSha = rig.worktrees.serverCommit(pull.headRef, { "more.ts": "1" });
  return pullHappened(rig, number, "pushed", options);
}
