import type { DomainEventOf } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { baseRefused, chooseBase } from "./base-branch.ts";

/** Handles `/flotilla backport release-1`: brings the merged work of the issue to another base branch, by a new issue. */
export function onBackport(event: DomainEventOf<"commented">, view: IssueState, rest: string): ChangeSet {
  const { newestTask: merged, settings, issue } = view;
  const branch = rest.trim();
  if (branch === "" || /\s/.test(branch))
    return refuses("the command must name exactly one branch", "say `/flotilla backport <branch>`");
  if (merged?.state !== "MERGED" || merged.mergeCommit === null)
    return refuses(
      `no agent's work on #${issue} is merged`,
      `say it again once its pull request is merged; for a fix that a person made, open an issue that names its commit, and say \`/flotilla start <role> on ${branch}\` there`,
    );
  const chosen = chooseBase(view, event.issue, branch);
  if ("fault" in chosen) return baseRefused(chosen);
  if (chosen.base === merged.base)
    return refuses(`the work on #${issue} was merged into \`${branch}\` itself`, "name another branch");
  const coder = view.agents.find(({ id }) => id === merged.assigneeId);
  const role = coder === undefined ? undefined : settings.roles.get(coder.role);
  if (role === undefined)
    return refuses(
      `the role that did the work on #${issue} no longer exists`,
      `open an issue for it, and say \`/flotilla start <role> on ${branch}\` there`,
    );
  return {
    ...decisionOnly("asked", `@${event.actor.login} asked for a backport to \`${branch}\``),
    effects: [
      { kind: "create_backport", task: merged.id, base: branch, role: role.name, by: event.actor.login },
    ],
  };
}

function refuses(reason: string, change: string): ChangeSet {
  return decisionOnly("backport_refused", reason, { change, shown: true });
}

/** What is brought to another branch: the difference between two commits, or the change of one. */
interface MergedChange {
  /** The commit that the merged work was put on; null where it is not known. */
  readonly onto: string | null;
  /** The commit by which it was merged. */
  readonly commit: string;
}

/** Returns the text that a task keeps, which `mergedChange` reads: a commit, or `onto..commit`. */
export function changeText({ onto, commit }: MergedChange): string {
  return onto === null ? commit : `${onto}..${commit}`;
}

export function mergedChange(text: string): MergedChange {
  const [first = "", second] = text.split("..");
  return second === undefined ? { onto: null, commit: first } : { onto: first, commit: second };
}

/** The merged work that is brought to another branch. */
interface Ported extends MergedChange {
  readonly issue: number;
  readonly title: string;
  readonly pull: number | null;
  /** The branches that it was merged into, and that it goes to. */
  readonly from: string;
  readonly to: string;
}

/** Returns title and text of the issue for a backport. */
export function backportIssue({ issue, title, pull, onto, commit, from, to }: Ported): {
  readonly title: string;
  readonly body: string;
} {
  const by = pull === null ? "" : ` by #${pull}`;
  const all = pull === null ? "that work" : `#${pull}`;
  return {
    title: `${title} (backport to ${to})`,
    body: [
      `The work on #${issue} was merged into ${inlineCode(from)}${by} as ${commit}. Bring the same change to ${inlineCode(to)}, and nothing else.`,
      "",
      `Flotilla puts ${onto === null ? "the change of that commit" : `all of it (\`git diff ${onto} ${commit}\`)`} into the working directory before the work begins. Where it does not fit, the files have conflict markers. If the change needs something that this branch lacks, bring that too, as little of it as possible.`,
      ...(onto === null
        ? [
            "",
            `Where ${all} has several commits and was merged by a rebase, that commit is only the last of them: bring the changes of the others too.`,
          ]
        : []),
    ].join("\n"),
  };
}

/** Returns what a coder reads whose worktree began with the change of merged work. */
export function backportNote(change: string): string {
  const { onto, commit } = mergedChange(change);
  const [what, compare] =
    onto === null
      ? [`of commit ${commit}`, `git show ${commit}`]
      : [`of the merged work, from ${onto} to ${commit}`, `git diff ${onto} ${commit}`];
  const more =
    onto === null
      ? ` If the work was merged by a rebase of several commits (see \`git log ${commit}\`), that commit is only the last: bring the changes of the others too.`
      : "";
  return `Your working directory began with the change ${what}, which is not committed on your branch: the host put it there. Where it did not fit, files have conflict markers (\`<<<<<<<\`). Resolve them, compare with \`${compare}\`, and commit.${more}`;
}

/** Returns the comment on the issue whose work is brought to another branch. */
export function backportComment(number: number, branch: string): string {
  return `#${number} brings this work to ${inlineCode(branch)}.`;
}
