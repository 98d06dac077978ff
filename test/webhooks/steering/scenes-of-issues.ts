import { NO_PLAN } from "../../../src/domain/planning/plan.ts";
import { blankSprint } from "../../../src/domain/planning/sprint.ts";
import { anAgent } from "../../factories/records.ts";
import { BOT, person } from "../../fakes/github-world.ts";
import type { Actor } from "./actors.ts";
import { atWork, issueIn, record, recorded, type Scene } from "./scene.ts";

const WRITER = { id: 703, login: "wim", type: "User" };
const label = (name: string, by: object | null = WRITER) => ({
  ...issueIn("issues.labeled", { user: by, labels: [{ name }] }),
  label: { name },
});
const byActor = (event: string) => (actor: Actor) => issueIn(event, { user: actor.account });
const asleep = (more: object = {}) =>
  anAgent({ repositoryId: 77, state: "SLEEPING", sleepReason: "blocked", blockedBy: [9], ...more });
const escalated = { agents: [anAgent({ repositoryId: 77, state: "ESCALATED" })] };
const paused = { agents: [anAgent({ repositoryId: 77, heldBy: ["lock"] })] };
const held = { held: [{ repositoryId: 77, issue: 5 }] };
const ended = { agents: [anAgent({ repositoryId: 77, state: "COMPLETED" })] };
const sprint = { ...blankSprint, id: 5, repositoryId: 77, title: "First" };
const plan = { plan: { ...NO_PLAN, sprints: [sprint], openTasks: 1 } };

const dependency = () => ({
  blocked_issue: issueIn("issues.opened").issue,
  blocking_issue: issueIn("issues.opened", { number: 9 }).issue,
  blocking_issue_repo: {
    ...record(recorded("issues.opened")["repository"]),
    name: "shop",
    owner: { login: "octo" },
  },
});
const part = () => ({
  parent_issue: issueIn("issues.opened").issue,
  sub_issue: issueIn("issues.opened", { number: 9 }).issue,
  sub_issue_repo: {
    ...record(recorded("issues.opened")["repository"]),
    name: "shop",
    owner: { login: "octo" },
  },
});
const milestone = () => ({ milestone: record(recorded("milestone.closed")["milestone"]) });

export const OF_ISSUES: readonly Scene[] = [
  {
    event: "issues.opened",
    what: "where triage waits",
    rule: "steers",
    // Triage leaves an issue alone that has the label of a role.
    payload: (actor) => issueIn("issues.opened", { user: actor.account, labels: [] }),
    reads: { type: "issue_opened" },
  },
  {
    event: "issues.labeled",
    what: "a role, on a writer's issue",
    rule: "steers",
    own: true,
    payload: () => label("feature"),
    reads: { type: "issue_labeled", label: "feature", own: false, authorPermitted: true },
  },
  {
    event: "issues.labeled",
    what: "a role, on a stranger's issue",
    rule: "steers",
    payload: () => label("feature", person("eve")),
    reads: { type: "issue_labeled", label: "feature", own: false, authorPermitted: false },
  },
  {
    event: "issues.labeled",
    what: "a role, on a deleted account's issue",
    rule: "steers",
    payload: () => label("feature", null),
    reads: { type: "issue_labeled", label: "feature", own: false, authorPermitted: false },
  },
  {
    event: "issues.labeled",
    what: "a goal, on a writer's issue",
    rule: "steers",
    own: true,
    payload: () => label("goal"),
    reads: { type: "issue_labeled", label: "goal", own: false, authorPermitted: true },
  },
  {
    event: "issues.labeled",
    what: "a goal, on a stranger's issue",
    rule: "steers",
    payload: () => label("goal", person("eve")),
    reads: { type: "issue_labeled", label: "goal", own: false, authorPermitted: false },
  },
  {
    event: "issues.labeled",
    what: "any other",
    rule: "nothing",
    payload: () => label("wontfix"),
    reads: { type: "issue_labeled", label: "wontfix", own: false, authorPermitted: false },
  },
  {
    event: "issues.unlabeled",
    what: "what asks for a person",
    rule: "steers",
    payload: () => label("needs-human"),
    reads: { type: "issue_unlabeled", label: "needs-human", own: false },
    view: escalated,
  },
  {
    event: "issues.unlabeled",
    what: "the label of work",
    rule: "fact",
    own: false,
    payload: () => label("feature"),
    reads: { type: "issue_unlabeled", label: "feature", own: false },
    view: atWork,
  },
  {
    event: "issues.closed",
    what: "under an agent",
    rule: "fact",
    payload: () => issueIn("issues.reopened", { state: "closed" }),
    reads: { type: "issue_closed", mergedPull: null },
    view: atWork,
  },
  {
    event: "issues.reopened",
    what: "after its work",
    rule: "steers",
    payload: () => issueIn("issues.reopened"),
    reads: { type: "issue_reopened", personPull: null },
    view: ended,
  },
  {
    event: "issues.reopened",
    what: "which others wait for",
    rule: "fact",
    payload: () => issueIn("issues.reopened"),
    reads: { type: "issue_reopened", personPull: null },
    view: held,
  },
  {
    event: "issues.assigned",
    what: "to a person",
    rule: "fact",
    payload: () => ({ ...issueIn("issues.assigned"), assignee: person("bob") }),
    reads: { type: "issue_assigned", assignee: person("bob") },
    view: atWork,
    follows: { moves: [{ id: 11, event: { type: "CANCEL", why: "the issue was assigned to @bob" } }] },
  },
  {
    event: "issues.assigned",
    what: "to a person, after its work",
    rule: "nothing",
    payload: () => ({ ...issueIn("issues.assigned"), assignee: person("bob") }),
    reads: { type: "issue_assigned", assignee: person("bob") },
    view: ended,
    follows: { decisions: [{ rule: "nobody_concerned" }] },
  },
  {
    event: "issues.assigned",
    what: "to a bot",
    rule: "nothing",
    payload: () => ({ ...issueIn("issues.assigned"), assignee: BOT }),
    reads: { ignored: "flotilla[bot] is not a person" },
    view: atWork,
  },
  {
    event: "issues.edited",
    what: "somebody's text",
    rule: "steers",
    payload: () => ({
      ...issueIn("issues.edited", { user: WRITER, body: "More." }),
      changes: { body: { from: "Less." } },
    }),
    reads: { type: "issue_edited", was: { body: "Less." } },
    view: atWork,
  },
  {
    event: "issues.edited",
    what: "the author's own text",
    rule: "steers",
    payload: (actor) => ({ ...byActor("issues.edited")(actor), changes: { title: { from: "Another" } } }),
    reads: { type: "issue_edited", was: { title: "Another" } },
    view: atWork,
  },
  {
    event: "issues.locked",
    what: "under an agent",
    rule: "fact",
    payload: () => issueIn("issues.locked", { locked: true }),
    reads: { type: "issue_locked", locked: true },
    view: atWork,
  },
  {
    event: "issues.unlocked",
    what: "over who is held",
    rule: "fact",
    payload: () => issueIn("issues.unlocked"),
    reads: { type: "issue_locked", locked: false },
    view: paused,
  },
  {
    event: "issues.milestoned",
    what: "which is read from it",
    rule: "nothing",
    payload: () => issueIn("issues.milestoned", { pull_request: null }),
    reads: { type: "issue_milestoned" },
  },
  {
    event: "issues.demilestoned",
    what: "which is read from it",
    rule: "nothing",
    payload: () => issueIn("issues.demilestoned", { pull_request: null }),
    reads: { type: "issue_milestoned" },
  },
  ...(["issues.milestoned", "issues.demilestoned"] as const).map(
    (event): Scene => ({
      event,
      what: "a pull request",
      rule: "nothing",
      payload: () => issueIn(event, { pull_request: { url: "x" } }),
      reads: { ignored: "#42 is a pull request: it has no task" },
    }),
  ),
  {
    event: "issues.deleted",
    what: "under an agent",
    rule: "fact",
    payload: () => issueIn("issues.deleted"),
    reads: { type: "issue_gone", to: null },
    view: atWork,
  },
  {
    event: "issues.transferred",
    what: "under an agent",
    rule: "fact",
    payload: () => ({
      ...issueIn("issues.transferred"),
      changes: { new_issue: { number: 3 }, new_repository: { full_name: "octo/other" } },
    }),
    reads: { type: "issue_gone", to: "octo/other#3" },
    view: atWork,
  },
  {
    event: "issue_dependencies.blocked_by_added",
    what: "under who waits to start",
    rule: "fact",
    payload: dependency,
    reads: {
      type: "blocker_changed",
      blocker: { repository: "octo/shop", number: 9 },
      added: true,
      own: false,
    },
    view: { agents: [anAgent({ repositoryId: 77, state: "CREATED" })] },
  },
  {
    event: "issue_dependencies.blocked_by_removed",
    what: "under who sleeps for it",
    rule: "steers",
    payload: dependency,
    reads: {
      type: "blocker_changed",
      blocker: { repository: "octo/shop", number: 9 },
      added: false,
      own: false,
    },
    view: { agents: [asleep()] },
  },
  {
    event: "sub_issues.sub_issue_added",
    what: "for which its agent sleeps",
    rule: "steers",
    payload: part,
    reads: { type: "part_changed", part: { repository: "octo/shop", number: 9 }, added: true },
    view: { agents: [asleep()] },
  },
  {
    event: "sub_issues.sub_issue_removed",
    what: "for which its agent sleeps",
    rule: "nothing",
    payload: part,
    reads: { type: "part_changed", part: { repository: "octo/shop", number: 9 }, added: false },
    view: { agents: [asleep()] },
  },
  {
    event: "milestone.edited",
    what: "of a sprint",
    rule: "nothing",
    payload: milestone,
    reads: { type: "milestone_changed", change: "edited" },
    view: plan,
  },
  {
    event: "milestone.closed",
    what: "over open tasks",
    rule: "steers",
    payload: milestone,
    reads: { type: "milestone_changed", change: "closed" },
    view: plan,
  },
  {
    event: "milestone.deleted",
    what: "of a sprint",
    rule: "fact",
    payload: milestone,
    reads: { type: "milestone_changed", change: "deleted" },
    view: plan,
  },
];
