import { personAs } from "../../../src/domain/review/reviewer.ts";
import { aRole, REVIEWER } from "../../factories/a-role.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { person } from "../../fakes/github-world.ts";
import { atWork, BRANCH, commentIn, HEAD, pullIn, record, recorded, type Scene } from "./scene.ts";

const SUBMITTED = "pull_request_review.submitted";
const DISMISSED = "pull_request_review.dismissed";
const LINE = "pull_request_review_comment.created";
const SHOP = { id: 77, owner: "octo", name: "shop", private: true };
const onShop = () => ({ repositories: [{ id: 77, full_name: "octo/shop", private: true }] });

const agent = (more: object) => anAgent({ repositoryId: 77, ...more });
const task = (more: object) => aTask({ repositoryId: 77, ...more });
const asleep = [agent({ state: "SLEEPING", sleepReason: "review" })];
const underReview = { agents: asleep, task: task({ state: "READY_FOR_REVIEW", reviewCommit: HEAD }) };
const approved = {
  agents: asleep,
  task: task({
    state: "APPROVED",
    reviewCommit: HEAD,
    verdicts: [{ ...personAs(person("ada")), commit: HEAD, at: 1 }],
  }),
};
const checked = { agents: [agent({ state: "SLEEPING", sleepReason: "checks", headCommit: HEAD })] };
const reviewed = { ...underReview, settings: someSettings({ roles: rolesOf(aRole(), REVIEWER) }) };

const review =
  (state: string, head: object = {}) =>
  () => ({
    ...pullIn(SUBMITTED, { ...head }),
    review: { ...record(recorded(SUBMITTED)["review"]), author_association: "OWNER", state, commit_id: HEAD },
  });
const line =
  (body: string, head: object = {}) =>
  () => ({ ...pullIn(LINE, { ...head }), ...commentIn(LINE, { body }) });
const FORK = { repo: { id: 78 } };

export const OF_WORK: readonly Scene[] = [
  {
    event: "pull_request.closed",
    what: "ours",
    rule: "fact",
    payload: () => pullIn("pull_request.closed"),
    reads: { type: "pull_closed", pull: 50, merged: false, own: false },
    view: atWork,
  },
  {
    event: "pull_request.closed",
    what: "a fork's with our branch's name",
    rule: "nothing",
    payload: () => pullIn("pull_request.closed", FORK),
    reads: { ignored: "#50 is not from a branch of ours" },
    view: atWork,
  },
  {
    event: "pull_request.closed",
    what: "that proposes the repository's file",
    rule: "nothing",
    payload: () => pullIn("pull_request.closed", { ref: "flotilla/configure" }),
    reads: { type: "proposal_closed", pull: 50, merged: false },
    view: atWork,
  },
  {
    event: "pull_request.closed",
    what: "that proposes a lesson",
    rule: "nothing",
    payload: () => pullIn("pull_request.closed", { ref: "flotilla/lesson-abcdefghijklmnop" }),
    reads: { type: "proposal_closed", pull: 50, merged: false },
    view: atWork,
  },
  {
    event: "pull_request.converted_to_draft",
    what: "ours",
    rule: "nothing",
    payload: () => pullIn("pull_request.converted_to_draft"),
    reads: { type: "pull_drafted", pull: 50 },
    view: atWork,
  },
  {
    event: "pull_request.converted_to_draft",
    what: "a fork's",
    rule: "nothing",
    payload: () => pullIn("pull_request.converted_to_draft", FORK),
    reads: { ignored: "#50 is not from a branch of ours" },
    view: atWork,
  },
  {
    event: "pull_request.ready_for_review",
    what: "ours",
    rule: "fact",
    payload: () => pullIn("pull_request.ready_for_review"),
    reads: { type: "pull_ready", pull: 50 },
    view: reviewed,
  },
  {
    event: "pull_request.ready_for_review",
    what: "a fork's",
    rule: "nothing",
    payload: () => pullIn("pull_request.ready_for_review", FORK),
    reads: { ignored: "#50 is not from a branch of ours" },
    view: reviewed,
  },
  {
    event: SUBMITTED,
    what: "that approves",
    rule: "steers",
    payload: review("approved"),
    reads: { type: "reviewed", pull: 50, verdict: "approved", source: "review:237895671" },
    view: underReview,
  },
  {
    event: SUBMITTED,
    what: "that wants changes",
    rule: "steers",
    payload: review("changes_requested"),
    reads: { type: "reviewed", pull: 50, verdict: "changes_requested", source: "review:237895671" },
    view: underReview,
  },
  {
    event: SUBMITTED,
    what: "that comments",
    rule: "steers",
    payload: review("commented"),
    reads: { type: "reviewed", pull: 50, verdict: "commented", source: "review:237895671" },
    view: underReview,
  },
  {
    event: SUBMITTED,
    what: "of a fork's pull request",
    rule: "nothing",
    payload: review("approved", FORK),
    reads: { ignored: "#50 is not from a branch of ours" },
    view: underReview,
  },
  {
    event: DISMISSED,
    what: "an approval that counts",
    rule: "fact",
    payload: () => ({
      ...pullIn(DISMISSED),
      review: { ...record(recorded(DISMISSED)["review"]), user: person("ada") },
    }),
    reads: { type: "review_dismissed", pull: 50, reviewer: person("ada") },
    view: approved,
  },
  {
    event: DISMISSED,
    what: "of a fork's pull request",
    rule: "nothing",
    payload: () => ({ ...pullIn(DISMISSED, FORK), review: record(recorded(DISMISSED)["review"]) }),
    reads: { ignored: "#50 is not from a branch of ours" },
    view: approved,
  },
  {
    event: LINE,
    what: "that gives a command",
    rule: "steers",
    payload: line("/flotilla cancel"),
    reads: { type: "commented", command: { verb: "cancel", rest: "" }, place: "review" },
    view: atWork,
  },
  {
    event: LINE,
    what: "that says something",
    rule: "steers",
    payload: line("Why?"),
    reads: { type: "reviewed", pull: 50, verdict: "commented", source: "line:284312630" },
    view: underReview,
  },
  {
    event: LINE,
    what: "on a fork's pull request",
    rule: "nothing",
    payload: line("/flotilla cancel", FORK),
    reads: { ignored: "#50 is not from a branch of ours" },
    view: atWork,
  },
  {
    event: "push",
    what: "to an agent's branch",
    rule: "fact",
    own: false,
    payload: () => ({ ...recorded("push"), ref: `refs/heads/${BRANCH}` }),
    reads: { type: "pushed", headRef: BRANCH },
    view: atWork,
  },
  {
    event: "push",
    what: "to any other branch",
    rule: "nothing",
    payload: () => ({ ...recorded("push"), ref: "refs/heads/main" }),
    reads: { ignored: "refs/heads/main is not a branch of ours" },
    view: atWork,
  },
  {
    event: "check_run.completed",
    what: "of a claimed commit",
    rule: "fact",
    payload: () => ({ check_run: { head_sha: HEAD } }),
    reads: { type: "checks_changed", commit: HEAD },
    view: checked,
  },
  {
    event: "check_suite.completed",
    what: "of a claimed commit",
    rule: "fact",
    payload: () => ({ check_suite: { head_sha: HEAD } }),
    reads: { type: "checks_changed", commit: HEAD },
    view: checked,
  },
  {
    event: "pull_request.enqueued",
    what: "of a claimed commit",
    rule: "fact",
    payload: () => ({ pull_request: { head: { sha: HEAD } } }),
    reads: { type: "checks_changed", commit: HEAD },
    view: checked,
  },
  {
    event: "pull_request.dequeued",
    what: "of a claimed commit",
    rule: "fact",
    payload: () => ({ pull_request: { head: { sha: HEAD } } }),
    reads: { type: "checks_changed", commit: HEAD },
    view: checked,
  },
  {
    event: "workflow_run.requested",
    what: "of a claimed commit",
    rule: "fact",
    payload: () => ({ workflow_run: { head_sha: HEAD } }),
    reads: { type: "checks_changed", commit: HEAD },
    view: checked,
  },
  {
    event: "workflow_run.completed",
    what: "of a claimed commit",
    rule: "fact",
    payload: () => ({ workflow_run: { head_sha: HEAD } }),
    reads: { type: "checks_changed", commit: HEAD },
    view: checked,
  },
  {
    event: "status",
    what: "of a claimed commit",
    rule: "fact",
    payload: () => ({ ...recorded("status"), sha: HEAD }),
    reads: { type: "checks_changed", commit: HEAD },
    view: checked,
  },
  {
    event: "repository.renamed",
    what: "itself",
    rule: "fact",
    payload: () => ({ changes: { repository: { name: { from: "store" } } } }),
    reads: { type: "repository_changed", change: "renamed", was: "octo/store" },
  },
  {
    event: "repository.transferred",
    what: "itself",
    rule: "fact",
    payload: () => ({ changes: { owner: { from: { user: { login: "old" }, organization: null } } } }),
    reads: { type: "repository_changed", change: "transferred", was: "old/shop" },
  },
  ...(["archived", "unarchived", "deleted", "privatized", "publicized"] as const).map(
    (change): Scene => ({
      event: `repository.${change}`,
      what: "itself",
      rule: "fact",
      payload: () => ({}),
      reads: { type: "repository_changed", change, was: null },
    }),
  ),
  {
    event: "installation.created",
    what: "of the App",
    rule: "fact",
    payload: onShop,
    reads: { type: "coverage_changed", added: [SHOP], removed: [] },
  },
  ...(
    [
      ["deleted", "uninstalled"],
      ["suspend", "suspended"],
      ["unsuspend", "unsuspended"],
    ] as const
  ).map(
    ([action, change]): Scene => ({
      event: `installation.${action}`,
      what: "of the App",
      rule: "fact",
      payload: onShop,
      reads: { type: "installation_changed", installationId: 5, change },
    }),
  ),
  {
    event: "installation.new_permissions_accepted",
    what: "by an owner",
    rule: "nothing",
    payload: () => ({}),
    reads: { ignored: "the next call uses the permissions that were accepted" },
  },
  {
    event: "installation_repositories.added",
    what: "by an owner",
    rule: "fact",
    payload: () => recorded("installation_repositories.added"),
    reads: { type: "coverage_changed", added: [{ owner: "Codertocat", name: "Space" }], removed: [] },
  },
  {
    event: "installation_repositories.removed",
    what: "by an owner",
    rule: "fact",
    payload: () => recorded("installation_repositories.removed"),
    reads: { type: "coverage_changed", added: [], removed: [1_296_269] },
  },
];
