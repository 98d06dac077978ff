import type { WantedJob } from "./acts/actions.ts";
import type { CloseReason } from "./acts/issues.ts";
import type { ReviewEvent } from "./acts/reviews.ts";
import type { FileChanges } from "./git/write-files.ts";
import type { BranchRules } from "./world/records.ts";

/** A scripted person's act was refused, with GitHub's status and message. */
export class PersonRefused extends Error {
  override readonly name = "PersonRefused";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * What a scripted person can do in one repository. All except the last ones use the REST routes with the person's
 * token.
 */
export interface Person {
  readonly login: string;
  readonly token: string;
  /** Calls any REST route below the repository, such as `("POST", "/issues", {...})`. Returns the parsed answer. */
  readonly call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  /** Returns the number of the new issue. */
  readonly openIssue: (issue: {
    title: string;
    body?: string;
    labels?: readonly string[];
    assignees?: readonly string[];
  }) => Promise<number>;
  readonly edit: (number: number, change: { title?: string; body?: string }) => Promise<void>;
  /** Returns the comment's id. */
  readonly comment: (number: number, body: string) => Promise<number>;
  readonly editComment: (id: number, body: string) => Promise<void>;
  readonly deleteComment: (id: number) => Promise<void>;
  readonly label: (number: number, name: string) => Promise<void>;
  readonly unlabel: (number: number, name: string) => Promise<void>;
  readonly assign: (number: number, login: string) => Promise<void>;
  readonly unassign: (number: number, login: string) => Promise<void>;
  readonly close: (number: number, reason?: CloseReason) => Promise<void>;
  readonly reopen: (number: number) => Promise<void>;
  readonly lock: (number: number) => Promise<void>;
  /** Returns the number of the new pull request. */
  readonly openPull: (pull: {
    title: string;
    head: string;
    base?: string;
    body?: string;
    draft?: boolean;
  }) => Promise<number>;
  /** Returns the merge commit's id. */
  readonly merge: (number: number, method?: "merge" | "squash" | "rebase") => Promise<string>;
  readonly closePull: (number: number) => Promise<void>;
  readonly review: (number: number, review: { event: ReviewEvent; body?: string }) => Promise<void>;
  /** Commits files to a branch; a new branch starts at the default branch. Returns the commit's id. */
  readonly push: (branch: string, files: FileChanges, message: string) => Promise<string>;
  /** Opens a pull request from a branch of the person's own fork. Returns its number. */
  readonly openForksPull: (pull: {
    title: string;
    body: string;
    branch: string;
    files: FileChanges;
  }) => Promise<number>;
  readonly deleteBranch: (branch: string) => Promise<void>;
  /** Available on GitHub only on its pages or in GraphQL. */
  readonly setDraft: (number: number, draft: boolean) => Promise<void>;
  readonly deleteIssue: (number: number) => Promise<void>;
  /** Keeps a file that is dropped into a text. Returns the address that the text then holds. */
  readonly attach: (file: { type: string; bytes: Uint8Array }) => string;
  /** Runs a workflow job on a commit. Returns the id of the job. */
  readonly runJob: (commit: string, job: WantedJob) => Promise<number>;
  /** Replaces the rules, which are of the default branch. */
  readonly protect: (rules: Partial<BranchRules>) => Promise<void>;
  /** Takes a pull request out of the merge queue. */
  readonly dequeue: (number: number) => Promise<void>;
  /** Holds workflow runs of the commit until a person approves them. */
  readonly holdWorkflows: (commit: string) => void;
  /** Moves an issue to another repository (owner/name). Returns its number there. */
  readonly transfer: (number: number, to: string) => Promise<number>;
}

/** Acts without a REST route, which the local GitHub supplies. */
export type PersonExtras = Pick<
  Person,
  | "push"
  | "openForksPull"
  | "attach"
  | "setDraft"
  | "deleteIssue"
  | "transfer"
  | "runJob"
  | "holdWorkflows"
  | "protect"
  | "dequeue"
>;

function pathOf(number: number): string {
  return `/issues/${number}`;
}

export function createPerson(
  login: string,
  token: string,
  call: Person["call"],
  extras: PersonExtras,
): Person {
  const act = async (method: string, path: string, body?: object): Promise<void> =>
    void (await call(method, path, body));
  return {
    login,
    token,
    call,
    openIssue: async (wanted) => Number((await call("POST", "/issues", wanted))["number"]),
    edit: async (number, change) => await act("PATCH", pathOf(number), change),
    comment: async (number, body) =>
      Number((await call("POST", `${pathOf(number)}/comments`, { body }))["id"]),
    editComment: async (id, body) => await act("PATCH", `/issues/comments/${id}`, { body }),
    deleteComment: async (id) => await act("DELETE", `/issues/comments/${id}`),
    label: async (number, name) => await act("POST", `${pathOf(number)}/labels`, { labels: [name] }),
    unlabel: async (number, name) =>
      await act("DELETE", `${pathOf(number)}/labels/${encodeURIComponent(name)}`),
    assign: async (number, who) => await act("POST", `${pathOf(number)}/assignees`, { assignees: [who] }),
    unassign: async (number, who) => await act("DELETE", `${pathOf(number)}/assignees`, { assignees: [who] }),
    close: async (number, reason = "completed") =>
      await act("PATCH", pathOf(number), { state: "closed", state_reason: reason }),
    reopen: async (number) => await act("PATCH", pathOf(number), { state: "open" }),
    lock: async (number) => await act("PUT", `${pathOf(number)}/lock`, {}),
    openPull: async (pull) => Number((await call("POST", "/pulls", { base: "main", ...pull }))["number"]),
    merge: async (number, method = "merge") =>
      String((await call("PUT", `/pulls/${number}/merge`, { merge_method: method }))["sha"]),
    closePull: async (number) => await act("PATCH", `/pulls/${number}`, { state: "closed" }),
    review: async (number, review) => await act("POST", `/pulls/${number}/reviews`, review),
    deleteBranch: async (branch) => await act("DELETE", `/git/refs/heads/${branch}`),
    ...extras,
  };
}
