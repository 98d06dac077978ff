import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { onCommented } from "../../domain/commands/on-comment.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { wordsOf } from "../../domain/decisions/rules.ts";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import type { ChangeSet, NewDecision } from "../../domain/kernel/change-set.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { approvedText } from "../../domain/tasks/approved-text.ts";
import { movedTo } from "../backfill/seen-issue.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { assertUnmoved } from "../events/assert-unmoved.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advance } from "../kernel/advance.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { operationName } from "../kernel/operation-name.ts";
import { levelOn } from "../outbox/level-guard.ts";
import { withoutForbiddenStarts } from "../settings/repository-limits.ts";
import { repositoryNamed } from "./repository-named.ts";

/** A person's wish that an agent works on an issue, which is there or is to be opened. */
export interface StartRequest {
  /** `owner/name`. */
  readonly repository: string;
  readonly on:
    | { readonly issue: number }
    /** An issue to open first. */
    | { readonly title: string; readonly body: string };
  /** The name of a role; "" = the role that the issue's labels name. */
  readonly role: string;
  /** What the agent reads besides the issue; "" for nothing. */
  readonly words: string;
  /** Chosen by the caller and unique: a repeated id starts once. */
  readonly id: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
}

export interface Started {
  readonly issue: number;
  readonly url: string;
  /** The name and state of the agent; null where a review is offered, or a waiting agent was let begin. */
  readonly agent: Pick<AgentRecord, "name" | "state"> | null;
}

/** Carries out `/flotilla start`, with the words below it. Throws `OperationError`, `GitHubError`. */
export async function startWork(context: EngineContext, request: StartRequest): Promise<Started> {
  const { store, clock } = context;
  const { id } = request;
  const repository = await repositoryNamed(store, request.repository);
  await context.ownSettings.fresh(repository);
  const issue = await issueFor(context, repository, request);
  const view = await readIssueState(context, repository, issue.number);
  const pulls = await context.pullsOfPeople({ ...context, settings: view.settings }, repository, issue);
  const name = operationName(id);
  const at = clock.now();
  const event = { ...saidOn(request, { repository, issue, at }), ...pulls };
  const wanted = onlyActs(onCommented(event, view));
  const changes = await withBlockers(
    context,
    repository,
    issue.number,
    await withoutForbiddenStarts(context, repository, wanted),
  );
  const acts = actsOf(changes);
  const [reason] = acts === 0 ? changes.decisions : [];
  const approved = approvedText(event);
  const touch = operatorTouch({ repositoryId: repository.id, issue: issue.number }, "command", {
    act: id,
    at,
  });
  const { refused, moved } = await advance(context, {
    at,
    repositoryId: repository.id,
    issue: issue.number,
    delivery: null,
    name,
    person: request.by,
    changes,
    milestone: issue.milestone,
    also: async (tables: Tables) => {
      const { issueTexts, ledger } = tables;
      await assertUnmoved(tables, view);
      if (approved !== null) await issueTexts.put(approved);
      if (acts > 0) await ledger.touch(touch);
    },
  });
  const [refusal] = moved.length === 0 ? refused : [];
  const why = reason ?? refusal;
  if (why !== undefined) throw denied(why);
  const created = moved.find(({ machine, event: what }) => machine === "agent" && what === "CREATE");
  const agent = created === undefined ? undefined : await store.records.get("agent", created.id);
  return { issue: issue.number, url: issue.url, agent: agent ?? null };
}

/** The command as a comment on the issue would give it. */
function saidOn(
  { by, id, role, words }: StartRequest,
  { repository, issue, at }: { repository: RepositoryRow; issue: GitHubIssue; at: number },
): DomainEventOf<"commented"> {
  return {
    type: "commented",
    delivery: operationName(id),
    at,
    repository,
    // Permission was checked by the caller, and only people reach this.
    actor: { id: 0, login: by, type: "User" },
    permitted: true,
    issue,
    commentId: 0,
    place: "issue",
    url: issue.url,
    body: "",
    command: { verb: "start", rest: role, ...(words === "" ? {} : { below: words }) },
    mention: false,
    personPull: null,
    strangersPulls: [],
  };
}

/** Returns how many things a start does: none where it is refused. */
function actsOf({ moves, wakes, effects }: ChangeSet): number {
  return moves.length + wakes.length + effects.filter(({ kind }) => kind !== "status_comment").length;
}

function denied({ rule, reason, change }: NewDecision | Refusal): OperationError {
  return new OperationError({ code: "policy_denied", rule, reason, hint: change ?? wordsOf(rule).next });
}

/** Reads the issue, or opens it; a request that is repeated after a lost answer finds the issue that it opened. */
async function issueFor(
  context: EngineContext,
  repository: RepositoryRow,
  request: StartRequest,
): Promise<GitHubIssue> {
  const { on } = request;
  return "title" in on
    ? openIssue(context, repository, { ...request, on })
    : readIssue(context, repository, on.issue);
}

/** Opens the issue, unless the start would be refused on it: nobody would work on what is then left behind. */
async function openIssue(
  context: EngineContext,
  repository: RepositoryRow,
  request: StartRequest & { readonly on: { readonly title: string; readonly body: string } },
): Promise<GitHubIssue> {
  const { clock, github } = context;
  const { title, body } = request.on;
  if ((await levelOn(context, repository, 0)) === "observe")
    throw new OperationError({
      code: "policy_denied",
      rule: "withheld",
      reason: "the level here is observe, at which Flotilla opens no issue",
      hint: "open the issue on GitHub, and start the work by its number",
    });
  const issue = { ...UNOPENED, title, body };
  const view = await readIssueState(context, repository, issue.number);
  const wanted = onlyActs(onCommented(saidOn(request, { repository, issue, at: clock.now() }), view));
  const [reason] = actsOf(wanted) === 0 ? wanted.decisions : [];
  if (reason !== undefined) throw denied(reason);
  return github.createIssue(repository, { key: `start-${request.id}`, title, body });
}

/** An issue before it is opened. */
const UNOPENED: Omit<GitHubIssue, "title" | "body"> = {
  id: 0,
  number: 0,
  state: "open",
  stateReason: null,
  labels: [],
  assignees: [],
  author: { id: 0, login: "", type: "Bot" },
  locked: false,
  milestone: null,
  isPullRequest: false,
  url: "",
};

async function readIssue(
  { github }: EngineContext,
  repository: RepositoryRow,
  number: number,
): Promise<GitHubIssue> {
  try {
    const issue = await github.issue(repository, number);
    // GitHub answers with the issue's new number, under which another issue may be here.
    const to = await movedTo({ github }, repository, number, issue);
    if (to !== null)
      throw new OperationError({
        code: "not_steered",
        why: `#${number} was transferred to ${to.repository}#${to.number}`,
        hint: "start the work there, if Flotilla works in that repository",
      });
    if (!issue.isPullRequest) return issue;
  } catch (error) {
    if (error instanceof OutsideError && error.code === "not_found")
      throw new OperationError({
        code: "not_found",
        what: `issue #${number} in ${repository.owner}/${repository.name}`,
      });
    throw error;
  }
  throw new OperationError({
    code: "not_steered",
    why: `#${number} is a pull request, and work starts on issues`,
    hint: "name the issue; on a person's pull request, say `/flotilla review` or `/flotilla fix` in a comment there",
  });
}

/** Leaves out what answers a comment: there is none. */
function onlyActs(changes: ChangeSet): ChangeSet {
  const effects = changes.effects.filter(
    (effect) =>
      effect.kind !== "react" && !(effect.kind === "post_comment" && effect.name.startsWith("answer-")),
  );
  return { ...changes, effects };
}
