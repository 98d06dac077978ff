import { Withheld } from "../../domain/access/level.ts";
import { onWithheld } from "../../domain/access/on-withheld.ts";
import { withPageLink } from "../../domain/agents/agent-page.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { readBlockers, withReported } from "../blockers/blockers.ts";
import { pageOfAgent } from "../kernel/page-of-agent.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import type { Executor } from "./execution.ts";
import { isForPerson } from "./is-for-person.ts";

/** Effects that people see on an issue. Each may run twice but is visible once. */

export const postComment: Executor<"post_comment"> = async ({ context, repository, row, effect }) => {
  const { name: key } = effect;
  const page = await pageOfAgent(context, repository, row.agentId);
  const comment = await context.github.putComment(repository, row.issue, {
    key,
    body: withPageLink(effect.body, page),
    knownId: undefined,
    forPerson: await isForPerson(context.store, row),
  });
  return { result: { id: comment.id, url: comment.url } };
};

export const addLabels: Executor<"add_labels"> = async ({ context, repository, row, effect }) => {
  if (effect.existing === undefined) {
    await context.github.addLabels(repository, row.issue, effect.labels);
    return { result: { labels: effect.labels } };
  }
  // They were there when the agent named them; a person may have deleted one since.
  return { result: { labels: await context.github.addExistingLabels(repository, row.issue, effect.labels) } };
};

export const removeLabel: Executor<"remove_label"> = async ({ context, repository, row, effect }) => {
  await context.github.removeLabel(repository, row.issue, effect.label);
  return { result: null };
};

export const react: Executor<"react"> = async ({ context, repository, effect }) => {
  try {
    await context.github.react(repository, effect.commentId, effect.reaction, effect.place);
    return { result: null };
  } catch (error) {
    // The person has deleted the comment: nobody misses the reaction.
    if (error instanceof GitHubError && error.code === "not_found") return { result: { gone: true } };
    throw error;
  }
};

export const addBlockedBy: Executor<"add_blocked_by"> = async ({
  context,
  repository,
  row,
  effect,
  agent,
}) => {
  const where =
    effect.repositoryId === undefined ? repository : await repositoryOf(context, effect.repositoryId);
  const blocker = { repository: fullName(where), number: effect.blocker };
  const written = await addIfPossible(() =>
    context.github.addBlockedBy(repository, row.issue, effect.blocker, where),
  );
  const read = await readBlockers(context, repository, row.issue);
  const also = (tables: Pick<Tables, "blockers">) => tables.blockers.put(withReported(read, blocker));
  if (!(written instanceof Withheld)) return { result: { written }, also };
  const { level } = written;
  const changes = onWithheld(effect, agent, { level, at: context.clock.now() });
  return { result: { written: false, withheld: level }, also, changes };
};

/** What an agent waits for is in our own tables, whatever GitHub stores. */
async function addIfPossible(add: () => Promise<void>): Promise<boolean | Withheld> {
  try {
    await add();
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "unsupported") return false;
    if (error instanceof Withheld) return error;
    throw error;
  }
}
