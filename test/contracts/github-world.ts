import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { CommitCheck, GitHub } from "../../src/domain/ports/github.ts";

/**
 * A GitHub with one private repository on `main` that has the label `bug`, and its people: `writer` may write,
 * `reader` may read, `stranger` is none of it. `needs-human` (`d93f0b`) is a label of ours that is missing at first.
 */
export interface GitHubWorld {
  readonly github: GitHub;
  readonly repository: RepositoryRef;
  /** What `writer` does. */
  openIssue(issue: { title: string; body: string; labels: readonly string[] }): Promise<number>;
  closeIssue(number: number): Promise<void>;
  assign(number: number, login: string): Promise<void>;
  unlabel(number: number, label: string): Promise<void>;
  review(pull: number, review: { event: "REQUEST_CHANGES" | "COMMENT"; body: string }): Promise<void>;
  /** Makes `child` a sub-issue of `parent`. */
  makePart(parent: number, child: number): Promise<void>;
  comment(number: number, body: string): Promise<number>;
  /** A new branch, with a commit that `main` lacks or without. */
  branch(name: string, options: { ahead: boolean }): Promise<void>;
  /** A file on `main`. */
  putFile(path: string, content: string): Promise<void>;
  openPull(head: string): Promise<number>;
  /** A comment on line 1 of a file that the pull request adds. */
  reviewComment(pull: number, comment: { path: string; body: string }): Promise<void>;
  closePull(number: number): Promise<void>;
  mergePull(number: number): Promise<void>;
  /** A check of the head of a branch, as another App reports it; in `kind` run or status. Returns the commit. */
  report(
    branch: string,
    check: { name: string; kind: "run" | "status"; state: CommitCheck["state"] },
  ): Promise<string>;
  /** A failed job of GitHub Actions on the head of a branch. Returns the commit. */
  failJob(
    branch: string,
    job: { readonly name: string; readonly step: string; readonly log: string },
  ): Promise<string>;
  /** GitHub holds the workflows of the branch's head until a person approves them. Returns the commit. */
  holdWorkflows(branch: string): Promise<string>;
  /** Puts these rules on `main`, instead of those that it has. */
  protect(rules: {
    readonly checks: readonly string[];
    readonly upToDate: boolean;
    readonly approvals: number;
  }): void | Promise<void>;
  /** The colour of a label in the repository, undefined when it is missing. */
  labelColor(name: string): Promise<string | undefined>;
  /** The next thing that the App creates is lost: the answer never comes, before or after it was carried out. */
  loseNextWrite(method: "putComment" | "openPullRequest" | "addFileOnBranch", when: "before" | "after"): void;
  /** How many writes the App has made. */
  writes(): number;
  close(): Promise<void>;
}

let branches = 0;

/** A new branch under a name not used before, one commit ahead of `main` unless said otherwise. */
export async function newBranch(world: GitHubWorld, options = { ahead: true }): Promise<string> {
  const head = `flotilla/docs-dev/issue-${++branches}`;
  await world.branch(head, options);
  return head;
}

export function newIssue(world: GitHubWorld, title = "An issue"): Promise<number> {
  return world.openIssue({ title, body: "Text", labels: ["bug"] });
}

/** What the App asks for when it proposes the branch; the key is the branch's own unless given. */
export function pullOf(head: string, key = `pr:${head}`): Parameters<GitHub["openPullRequest"]>[1] {
  return { key, title: "Change", body: "What changed.", head, base: "main", draft: false };
}

/** The texts of an issue's comments, oldest first. */
export async function bodiesOf(world: GitHubWorld, number: number): Promise<string[]> {
  const comments = await world.github.comments(world.repository, number);
  return comments.map(({ body }) => body);
}
