import { isLive } from "../agents/agent-record.ts";
import type { IssueFacts } from "../events/domain-event.ts";
import { type ChangeSet, decisionOnly, type IssueState } from "../kernel/change-set.ts";
import { isBranchName } from "../kernel/is-branch-name.ts";
import { inlineCode } from "../messages/inline-code.ts";
import type { Settings } from "../settings/settings.ts";
import type { Base, TaskState } from "./task-record.ts";

/** Returns the name of the base branch of a task; that of the default branch without one. */
export function baseBranch(
  task: { readonly base: Base } | null | undefined,
  { defaultBranch }: { readonly defaultBranch: string },
): string {
  return task?.base ?? defaultBranch;
}

/** Why work cannot go to a branch, and what a person can do. */
interface RefusedBase {
  readonly fault: string;
  readonly change: string;
}

type Known = Pick<IssueState, "settings" | "defaultBranch">;

type Chosen = { readonly base: Base } | RefusedBase;

/**
 * Returns the base branch of new work: the one that a person asks for, else that of the issue's labels, of its
 * milestone, of `base`.
 */
export function chooseBase(
  { settings, defaultBranch }: Known,
  issue: Pick<IssueFacts, "labels" | "milestone">,
  asked?: string,
): Chosen {
  if (asked !== undefined)
    return takesWork({ settings, defaultBranch }, asked)
      ? { base: ownName(asked, defaultBranch) }
      : notPermitted({ settings, defaultBranch }, asked);
  const byLabel = branchesNamed(settings, issue.labels, "label");
  const titles = issue.milestone === null ? [] : [issue.milestone.title];
  const named = byLabel.length > 0 ? byLabel : branchesNamed(settings, titles, "milestone");
  if (named.length > 1)
    return {
      fault: `its ${byLabel.length > 0 ? "labels name" : "milestone names"} more than one base branch: ${list(named)}`,
      change: `say \`/flotilla start <role> on ${named[0]}\`, or keep one of them`,
    };
  return { base: ownName(named[0] ?? settings.base, defaultBranch) };
}

/** Returns the branches that a label chooses; empty for any other label. */
export function basesOfLabel(settings: Pick<Settings, "bases">, label: string): readonly string[] {
  return branchesNamed(settings, [label], "label");
}

/** Returns whether the next work on the issue may go to another base branch: nobody has a branch for its task. */
export function isFreeToGo({ task, agents }: Pick<IssueState, "task" | "agents">): boolean {
  if (task === null) return true;
  return FREE.includes(task.state) && !agents.some((agent) => agent.coder && isLive(agent));
}

const FREE: readonly TaskState[] = ["DRAFT", "UNCLAIMED"];

/** Returns the refusal of another base branch for work that has begun; null where it may go there. */
export function keepsBase(view: IssueState, wanted: string): ChangeSet | null {
  const { task, defaultBranch, issue } = view;
  if (task === null || task.base === ownName(wanted, defaultBranch) || isFreeToGo(view)) return null;
  return decisionOnly(
    "base_refused",
    `the work on #${issue} goes to \`${baseBranch(task, { defaultBranch })}\` already`,
    {
      change: `end that work (\`/flotilla cancel\`, or close its pull request), then say \`/flotilla start <role> on ${wanted}\``,
      shown: true,
    },
  );
}

/** Records that a start was refused because of its base branch. */
export function baseRefused({ fault, change }: RefusedBase): ChangeSet {
  return decisionOnly("base_refused", fault, { change, shown: true });
}

/** Returns whether work may go to the branch. */
export function takesWork({ settings, defaultBranch }: Known, branch: string): boolean {
  return (
    branch === defaultBranch ||
    branch === settings.base ||
    settings.bases.some((one) => (typeof one === "string" ? matches(one, branch) : one.branch === branch))
  );
}

function notPermitted({ settings, defaultBranch }: Known, branch: string): RefusedBase {
  const known = settings.bases.map((one) => (typeof one === "string" ? one : one.branch));
  const own = settings.base === null ? [] : [settings.base];
  return {
    fault: `${inlineCode(branch, 60)} is not on the list of branches that work may go to: ${list([...new Set([defaultBranch, ...own, ...known])])}`,
    change: "name one of these, or add it to `bases` in `.github/flotilla.yml`",
  };
}

/** `*` stands for any characters of a plain name but `/`; case matters, as in git. */
function matches(pattern: string, branch: string): boolean {
  const wanted = pattern.split("/");
  const parts = branch.split("/");
  return (
    isBranchName(branch) &&
    wanted.length === parts.length &&
    wanted.every((one, at) => matchesPart(one, parts[at] ?? ""))
  );
}

/**
 * Looks for each piece between two `*` once, from left to right. A regular expression would backtrack for minutes on
 * some patterns, and any repository may write them.
 */
function matchesPart(pattern: string, name: string): boolean {
  const [first = "", ...pieces] = pattern.split("*");
  const last = pieces.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length && name.endsWith(last);
}

/** Case of labels and milestones does not matter, as on GitHub. */
function branchesNamed(
  { bases }: Pick<Settings, "bases">,
  names: readonly string[],
  by: "label" | "milestone",
): readonly string[] {
  const put = new Set(names.map((name) => name.toLowerCase()));
  const found = bases.flatMap((one) => {
    const name = typeof one === "string" ? undefined : one[by];
    return typeof one !== "string" && name !== undefined && put.has(name.toLowerCase()) ? [one.branch] : [];
  });
  return [...new Set(found)];
}

const ownName = (branch: Base, defaultBranch: string): Base => (branch === defaultBranch ? null : branch);

const list = (branches: readonly string[]) => branches.map((one) => `\`${one}\``).join(", ");
