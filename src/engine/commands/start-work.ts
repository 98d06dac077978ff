import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { onCommented } from "../../domain/commands/on-comment.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { wordsOf } from "../../domain/decisions/rules.ts";
import type { DomainEventOf } from "../../domain/events/domain-event.ts";
import type { ChangeSet } from "../../domain/kernel/change-set.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { approvedText } from "../../domain/tasks/approved-text.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { assertUnmoved } from "../events/assert-unmoved.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advance } from "../kernel/advance.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
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
  const { by, id } = request;
  const repository = await repositoryNamed(store, request.repository);
  const issue = await issueFor(context, repository, request);
  await context.ownSettings.fresh(repository);
  const view = await readIssueState(context, repository, issue.number);
  const pulls = await context.pullsOfPeople({ ...context, settings: view.settings }, repository, issue);
  const name = `operator:${id}`;
  const at = clock.now();
  const event: DomainEventOf<"commented"> = {
    type: "commented",
    delivery: name,
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
    command: { verb: "start", rest: request.role, ...(request.words === "" ? {} : { below: request.words }) },
    mention: false,
    ...pulls,
  };
  const wanted = onlyActs(onCommented(event, view));
  const changes = await withBlockers(
    context,
    repository,
    issue.number,
    await withoutForbiddenStarts(context, repository, wanted),
  );
  const { moves, wakes, effects, decisions } = changes;
  const acts = moves.length + wakes.length + effects.filter(({ kind }) => kind !== "status_comment").length;
  const [reason] = acts === 0 ? decisions : [];
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
  if (why !== undefined)
    throw new OperationError({
      code: "policy_denied",
      rule: why.rule,
      reason: why.reason,
      hint: why.change ?? wordsOf(why.rule).next,
    });
  const created = moved.find(({ machine, event: what }) => machine === "agent" && what === "CREATE");
  const agent = created === undefined ? undefined : await store.records.get("agent", created.id);
  return { issue: issue.number, url: issue.url, agent: agent ?? null };
}

/** Reads the issue, or opens it; a request that is repeated after a lost answer finds the issue that it opened. */
async function issueFor(
  context: EngineContext,
  repository: RepositoryRow,
  { on, id }: StartRequest,
): Promise<GitHubIssue> {
  const { github } = context;
  if ("title" in on) {
    if ((await levelOn(context, repository, 0)) === "observe")
      throw new OperationError({
        code: "policy_denied",
        rule: "withheld",
        reason: "the level here is observe, at which Flotilla opens no issue",
        hint: "open the issue on GitHub, and start the work by its number",
      });
    return github.createIssue(repository, { key: `start-${id}`, title: on.title, body: on.body });
  }
  try {
    return await github.issue(repository, on.issue);
  } catch (error) {
    if (error instanceof OutsideError && error.code === "not_found")
      throw new OperationError({
        code: "not_found",
        what: `issue #${on.issue} in ${repository.owner}/${repository.name}`,
      });
    throw error;
  }
}

/** Leaves out what answers a comment: there is none. */
function onlyActs(changes: ChangeSet): ChangeSet {
  const effects = changes.effects.filter(
    (effect) => effect.kind !== "react" && !(effect.kind === "post_comment" && effect.name === "answer-0"),
  );
  return { ...changes, effects };
}
