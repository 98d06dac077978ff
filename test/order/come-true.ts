import { z } from "zod";
import { pullRequestShape } from "../../src/webhooks/payload.ts";
import type { Rig } from "../engine/rig.ts";
import { happened } from "../fakes/github-world.ts";
import type { Webhook } from "./life.ts";

const account = z.object({ id: z.int(), login: z.string(), type: z.enum(["User", "Bot"]) });
const labels = z.array(z.object({ name: z.string() })).transform((all) => all.map(({ name }) => name));
const issue = z.object({
  number: z.int(),
  state: z.enum(["open", "closed"]),
  state_reason: z.string().nullable(),
  labels,
  assignees: z.array(account),
});
const told = z.object({
  sender: account,
  action: z.string().optional(),
  issue: issue.optional(),
  label: z.object({ name: z.string() }).optional(),
  assignee: account.optional(),
  comment: z.object({ id: z.int(), body: z.string(), html_url: z.string() }).optional(),
  pull_request: pullRequestShape.optional(),
  review: z.object({ id: z.int(), body: z.string(), state: z.string(), html_url: z.string() }).optional(),
  blocked_issue: issue.optional(),
  blocking_issue: issue.optional(),
  sha: z.string().optional(),
  context: z.string().optional(),
});
type Fields = z.output<typeof told>;

/** Makes the rig's GitHub what it was when this webhook was sent; our own labels, which the recording lacks, stay. */
export function comesTrue(rig: Rig, { name, payload }: Webhook): void {
  const fields = told.parse(payload);
  const { repository } = rig;
  const did = { by: fields.sender, at: rig.clock.now() };
  if (name.startsWith("issues.")) changeIssue(rig, fields, did);
  if (name === "issue_comment.created") addCommentOf(rig, fields);
  if (name === "pull_request.closed") closePull(rig, fields, did);
  if (name === "pull_request_review.submitted") addReviewOf(rig, fields);
  if (name.startsWith("issue_dependencies.blocked_by")) changeBlockers(rig, fields);
  const { sha, context } = fields;
  if (name === "status" && sha !== undefined && context !== undefined) {
    const was = repository.checks.get(sha) ?? [];
    const check = { name: context, state: "green", conclusion: "success", changedAt: iso(did.at) } as const;
    repository.checks.set(sha, [...was, check]);
  }
}

type Did = { readonly by: z.output<typeof account>; readonly at: number };

function changeIssue({ repository }: Rig, { issue: now, action, label, assignee }: Fields, did: Did): void {
  const kept = repository.issues.get(now?.number ?? 0);
  if (now === undefined || kept === undefined || action === "opened") return;
  const ours = kept.labels.filter((one) => !PEOPLES.includes(one));
  Object.assign(kept, {
    state: now.state,
    stateReason: now.state_reason,
    labels: [...now.labels.filter((one) => PEOPLES.includes(one)), ...ours],
    assignees: now.assignees,
  });
  happened(repository, now.number, action ?? "", {
    ...did,
    ...(label === undefined ? {} : { label: label.name }),
    ...(assignee === undefined ? {} : { assignee }),
  });
}

/** Labels of people's. */
const PEOPLES: readonly string[] = ["feature", "later"];

function addCommentOf({ repository, clock }: Rig, { issue: on, comment, sender }: Fields): void {
  if (on === undefined || comment === undefined) return;
  const { id, body, html_url: url } = comment;
  const was = repository.comments.get(on.number) ?? [];
  repository.comments.set(on.number, [
    ...was,
    { id, body, author: sender, createdAt: iso(clock.now()), url },
  ]);
}

function closePull({ repository }: Rig, { pull_request: pull }: Fields, did: Did): void {
  const kept = repository.pulls.get(pull?.number ?? 0);
  if (pull === undefined || kept === undefined) throw new Error("the agent has opened no such pull request");
  Object.assign(kept, { state: "closed", merged: pull.merged });
  if (pull.merged) {
    repository.branchesAhead.delete(kept.headRef);
    happened(repository, pull.number, "merged", { ...did, commit: pull.mergeCommit });
  }
  happened(repository, pull.number, "closed", did);
  Object.assign(repository.issues.get(pull.number) ?? {}, { state: "closed" });
}

function addReviewOf({ repository, clock }: Rig, { pull_request: pull, review, sender }: Fields): void {
  if (pull === undefined || review === undefined) return;
  const kept = repository.pulls.get(pull.number);
  const { id, body, state, html_url: url } = review;
  const was = repository.reviews.get(pull.number) ?? [];
  const submittedAt = iso(clock.now());
  const commit = kept?.headSha ?? null;
  const added = { id, body, verdict: state, author: sender, submittedAt, commit, url };
  repository.reviews.set(pull.number, [...was, added]);
}

function changeBlockers({ repository }: Rig, { action, blocked_issue, blocking_issue }: Fields): void {
  if (blocked_issue === undefined || blocking_issue === undefined) return;
  const blockers = new Set(repository.blockedBy.get(blocked_issue.number));
  if (action === "blocked_by_added") blockers.add(blocking_issue.number);
  else blockers.delete(blocking_issue.number);
  repository.blockedBy.set(blocked_issue.number, blockers);
}

const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
