import { z } from "zod";

/**
 * An action outside of the database, as data. Effects of a lane run one at a time, in order except `ANSWERS`: `agent` = an agent's
 * sessions, worktree and outputs, `interrupts` = what must not wait for these, `issue` = what people read on an issue, `merge_queue` = all merges of a repository, `lessons` = all its proposed lessons, `notices` = what a receiver outside of GitHub is told. A fenced
 * effect carries the agent's fencing token and is skipped once the agent has another one.
 */
const effectSchemas = {
  /** Prepare the worktree, open the conversation and continue it; not before that time, in ms since the epoch. */
  open_session: z.strictObject({ kind: z.literal("open_session"), notBefore: z.int().optional() }),
  /** Stop the process; save the work; with `destroy` delete the conversation. Holds the slot until done. */
  close_session: z.strictObject({
    kind: z.literal("close_session"),
    checkpoint: z.boolean(),
    destroy: z.boolean(),
  }),
  /**
   * Remove the worktree and archive work that exists nowhere else; `quiet` where the issue no longer exists and nothing
   * is written on it.
   */
  remove_worktree: z.strictObject({ kind: z.literal("remove_worktree"), quiet: z.boolean() }),
  /** End the exchange of the agent; asked of its node by another one. */
  interrupt: z.strictObject({ kind: z.literal("interrupt") }),
  /** Delete what is kept of an agent that ended long ago. */
  forget_work: z.strictObject({ kind: z.literal("forget_work") }),
  /** Rewrite the issue's one status comment from the state at that time; not before `notBefore`, in ms since the epoch. */
  status_comment: z.strictObject({ kind: z.literal("status_comment"), notBefore: z.int().optional() }),
  /** Post a new comment; `name` is unique among the agent's or delivery's comments. */
  post_comment: z.strictObject({ kind: z.literal("post_comment"), name: z.string(), body: z.string() }),
  /** Rewrite the one comment of a question; while an answer counts, the reactions to it are read too. */
  question_comment: z.strictObject({ kind: z.literal("question_comment"), question: z.int() }),
  /** With `existing` only those that the repository has: an agent chose them, and GitHub would create the others. */
  add_labels: z.strictObject({
    kind: z.literal("add_labels"),
    labels: z.array(z.string()),
    existing: z.literal(true).optional(),
  }),
  remove_label: z.strictObject({ kind: z.literal("remove_label"), label: z.string() }),
  /** Show the state of the issue's task, at that time, as its one label `flotilla:<state>`; `notBefore` as above. */
  task_label: z.strictObject({ kind: z.literal("task_label"), notBefore: z.int().optional() }),
  /** Close the issue of merged work: GitHub does so itself only after a merge into the default branch. */
  close_issue: z.strictObject({ kind: z.literal("close_issue") }),
  /** Answer a command by a reaction; the status comment reports the result of the latest one. */
  react: z.strictObject({
    kind: z.literal("react"),
    commentId: z.int(),
    place: z.enum(["issue", "review"]),
    reaction: z.enum(["+1", "confused"]),
    command: z.strictObject({ verb: z.string(), by: z.string(), delivery: z.string() }),
  }),
  /** Open the issue of an incident, by its id. */
  open_incident: z.strictObject({
    kind: z.literal("open_incident"),
    incident: z.int(),
    title: z.string(),
    body: z.string(),
  }),
  /** Write the dependency to GitHub; `repositoryId` where the blocker is another repository's. */
  add_blocked_by: z.strictObject({
    kind: z.literal("add_blocked_by"),
    blocker: z.int(),
    repositoryId: z.int().optional(),
  }),
  /** Check again whether the blocker is still open, now that the agent sleeps. */
  recheck_blocker: z.strictObject({
    kind: z.literal("recheck_blocker"),
    blocker: z.int(),
    repositoryId: z.int().optional(),
  }),
  /** Read the blockers of that issue, of any repository, from GitHub. */
  look_at_blockers: z.strictObject({
    kind: z.literal("look_at_blockers"),
    repositoryId: z.int(),
    issue: z.int(),
  }),
  /**
   * Read the issue and its agents' pull requests from GitHub, for events that no webhook reported; with `lost` also its
   * comments of that time. Milliseconds since the epoch.
   */
  look_at_issue: z.strictObject({
    kind: z.literal("look_at_issue"),
    lost: z.strictObject({ since: z.int(), until: z.int() }).optional(),
  }),
  /** Check whether the checks that this agent waits for are done. */
  look_at_checks: z.strictObject({ kind: z.literal("look_at_checks"), agentId: z.int() }),
  /** Read the required checks of the commit under review. */
  look_at_review_checks: z.strictObject({ kind: z.literal("look_at_review_checks"), task: z.int() }),
  /** Ask GitHub to run a failed job again; `run` = the run of the check. */
  rerun_check: z.strictObject({
    kind: z.literal("rerun_check"),
    commit: z.string(),
    check: z.string(),
    run: z.string(),
    job: z.int(),
    agentId: z.int(),
  }),
  /** Offer the work under review to the reviewer that is due, or to the role that a person asked for. */
  offer_review: z.strictObject({ kind: z.literal("offer_review"), asked: z.string().nullable() }),
  /** Make the one new attempt with which the host follows this agent's failure. */
  offer_attempt: z.strictObject({ kind: z.literal("offer_attempt") }),
  /** Show a verdict on GitHub, or that it no longer counts. `onlyCheck` = its review is there already. */
  publish_verdict: z.strictObject({
    kind: z.literal("publish_verdict"),
    verdict: z.int(),
    onlyCheck: z.literal(true).optional(),
  }),
  /** Write the reviewer's verdict on a person's pull request as a comment there. */
  publish_review: z.strictObject({ kind: z.literal("publish_review") }),
  /** Outputs of a tool call that waits for them. */
  commit: z.strictObject({ kind: z.literal("commit"), message: z.string() }),
  open_pr: z.strictObject({ kind: z.literal("open_pr"), title: z.string(), body: z.string() }),
  /** Update the host's facts in the body of the agent's pull request. */
  pull_facts: z.strictObject({ kind: z.literal("pull_facts") }),
  /** Open an issue that blocks this one, once for each name; an interrupted one is linked, too. */
  create_blocker_issue: z.strictObject({
    kind: z.literal("create_blocker_issue"),
    name: z.string(),
    title: z.string(),
    body: z.string(),
    labels: z.array(z.string()),
  }),
  /** Open a sub-issue of this issue, a draft, once for each name; `after` are the sub-issues before it. */
  create_sub_issue: z.strictObject({
    kind: z.literal("create_sub_issue"),
    name: z.string(),
    title: z.string(),
    body: z.string(),
    role: z.string().nullable(),
    after: z.array(z.int()),
  }),
  /** Open an issue that brings merged work to another base branch, and start the coder there. */
  create_backport: z.strictObject({
    kind: z.literal("create_backport"),
    task: z.int(),
    base: z.string(),
    role: z.string(),
    by: z.string(),
  }),
  /** Find the next step of the repository's merge queue. */
  look_at_train: z.strictObject({ kind: z.literal("look_at_train") }),
  /**
   * Merge the base branch into the branch of this task, if its head is still `head`. `base` = the base's head when that
   * was decided.
   */
  update_branch: z.strictObject({
    kind: z.literal("update_branch"),
    task: z.int(),
    head: z.string(),
    base: z.string(),
  }),
  /**
   * Merge the pull request of this task, or add it to GitHub's own merge queue, if its head is still `head`. `base` as
   * above; `by` = the person who asked for it. With `leave` the opposite: take it out of that queue.
   */
  merge_pull: z.strictObject({
    kind: z.literal("merge_pull"),
    task: z.int(),
    pull: z.int(),
    head: z.string(),
    base: z.string(),
    by: z.string().optional(),
    leave: z.literal(true).optional(),
  }),
  /** Propose one new file to the repository, by a pull request from a new branch. */
  propose_file: z.strictObject({
    kind: z.literal("propose_file"),
    branch: z.string(),
    path: z.string(),
    content: z.string(),
    message: z.string(),
    title: z.string(),
    body: z.string(),
  }),
  /** Start the retrospective of the issue's ended work, or the role of that kind that a person asked for. */
  offer_lesson: z.strictObject({ kind: z.literal("offer_lesson"), asked: z.string().nullable() }),
  /** Propose one more line for the file that agents read, by a draft pull request from a new branch. */
  propose_lesson: z.strictObject({
    kind: z.literal("propose_lesson"),
    branch: z.string(),
    line: z.string(),
    message: z.string(),
    title: z.string(),
    body: z.string(),
  }),
  /**
   * Open the issue of a schedule; `begun` = when, in ms since the epoch. With `first` only note that the schedule is known from
   * then on.
   */
  open_scheduled: z.strictObject({
    kind: z.literal("open_scheduled"),
    schedule: z.string(),
    begun: z.int(),
    first: z.literal(true).optional(),
  }),
  /** Tell a receiver outside of GitHub that the issue has come to this. */
  notify: z.strictObject({ kind: z.literal("notify"), receiver: z.string(), event: z.string() }),
} as const;

export type EffectKind = keyof typeof effectSchemas;

export const effect = z.discriminatedUnion("kind", [
  effectSchemas.open_session,
  effectSchemas.close_session,
  effectSchemas.remove_worktree,
  effectSchemas.interrupt,
  effectSchemas.forget_work,
  effectSchemas.status_comment,
  effectSchemas.post_comment,
  effectSchemas.question_comment,
  effectSchemas.add_labels,
  effectSchemas.remove_label,
  effectSchemas.task_label,
  effectSchemas.close_issue,
  effectSchemas.react,
  effectSchemas.open_incident,
  effectSchemas.add_blocked_by,
  effectSchemas.recheck_blocker,
  effectSchemas.look_at_blockers,
  effectSchemas.look_at_issue,
  effectSchemas.look_at_checks,
  effectSchemas.look_at_review_checks,
  effectSchemas.rerun_check,
  effectSchemas.offer_review,
  effectSchemas.offer_attempt,
  effectSchemas.publish_verdict,
  effectSchemas.publish_review,
  effectSchemas.commit,
  effectSchemas.open_pr,
  effectSchemas.pull_facts,
  effectSchemas.create_blocker_issue,
  effectSchemas.create_sub_issue,
  effectSchemas.create_backport,
  effectSchemas.look_at_train,
  effectSchemas.update_branch,
  effectSchemas.merge_pull,
  effectSchemas.propose_file,
  effectSchemas.offer_lesson,
  effectSchemas.propose_lesson,
  effectSchemas.open_scheduled,
  effectSchemas.notify,
]);
export type Effect = z.infer<typeof effect>;
export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>;

/** The lane of each kind. */
export const EFFECT_LANE: Readonly<
  Record<EffectKind, "agent" | "interrupts" | "issue" | "blockers" | "merge_queue" | "lessons" | "notices">
> = {
  open_session: "agent",
  close_session: "agent",
  remove_worktree: "agent",
  interrupt: "interrupts",
  forget_work: "agent",
  status_comment: "issue",
  post_comment: "issue",
  question_comment: "issue",
  add_labels: "issue",
  remove_label: "issue",
  task_label: "issue",
  close_issue: "issue",
  react: "issue",
  open_incident: "issue",
  add_blocked_by: "issue",
  recheck_blocker: "issue",
  look_at_blockers: "blockers",
  look_at_issue: "issue",
  look_at_checks: "issue",
  look_at_review_checks: "issue",
  rerun_check: "issue",
  offer_review: "issue",
  offer_attempt: "issue",
  publish_verdict: "issue",
  publish_review: "issue",
  commit: "agent",
  open_pr: "agent",
  pull_facts: "issue",
  create_blocker_issue: "issue",
  create_sub_issue: "issue",
  create_backport: "issue",
  look_at_train: "merge_queue",
  update_branch: "merge_queue",
  merge_pull: "merge_queue",
  propose_file: "issue",
  offer_lesson: "issue",
  propose_lesson: "lessons",
  open_scheduled: "issue",
  notify: "notices",
};

/**
 * Comments and reactions for people. While the first effect of a lane waits, for GitHub's limits or for its next try,
 * these run before it: none depends on what an earlier effect reads or writes. All other kinds keep their order, because
 * those that read must see what was written before them.
 */
export const ANSWERS: readonly EffectKind[] = ["react", "post_comment", "question_comment", "status_comment"];

/**
 * Effects that show the state of the time when they run. One that waits stands for all of its kind that follow in its lane,
 * and one that was put off holds nothing else up.
 */
export const DISPLAYS: readonly EffectKind[] = ["status_comment", "task_label"];

/** For how long a display waits whose news nobody has to act on, so that one write shows it together with what follows. */
export const QUIET_MS = 10 * 60_000;

/** Effects that only the agent's node can carry out: its worktree, its conversation and its process are there. */
export const AT_ITS_NODE: readonly EffectKind[] = [
  "open_session",
  "close_session",
  "commit",
  "open_pr",
  "remove_worktree",
  "interrupt",
  "forget_work",
];

/** Kinds that act for one period of activity and must not act after it; outputs of a tool are all fenced. */
export const FENCED: ReadonlySet<EffectKind> = new Set(["open_session", "interrupt", "commit", "open_pr"]);
