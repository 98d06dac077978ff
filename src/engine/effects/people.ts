import { GitHubError } from "../../core/errors.ts";
import { fullName } from "../../core/repository.ts";
import { readBlockers, withReported } from "../blockers.ts";
import { repositoryOf } from "../repository-of.ts";
import type { Executor } from "./execution.ts";
import { isForPerson } from "./for-person.ts";

/** Effects that people see on an issue. Each may run twice and is seen once. */

export const postComment: Executor<"post_comment"> = async ({ context, repository, row, effect }) => {
  const { name: key, body } = effect;
  const comment = await context.github.putComment(repository, row.issue, {
    key,
    body,
    knownId: undefined,
    forPerson: await isForPerson(context.store, row),
  });
  return { result: { id: comment.id, url: comment.url } };
};

export const addLabels: Executor<"add_labels"> = async ({ context, repository, row, effect }) => {
  await context.github.addLabels(repository, row.issue, effect.labels);
  return { result: { labels: effect.labels } };
};

export const removeLabel: Executor<"remove_label"> = async ({ context, repository, row, effect }) => {
  await context.github.removeLabel(repository, row.issue, effect.label);
  return { result: null };
};

export const react: Executor<"react"> = async ({ context, repository, effect }) => {
  await context.github.react(repository, effect.commentId, effect.reaction, effect.place);
  return { result: null };
};

export const addBlockedBy: Executor<"add_blocked_by"> = async ({ context, repository, row, effect }) => {
  const where =
    effect.repositoryId === undefined ? repository : await repositoryOf(context, effect.repositoryId);
  const blocker = { repository: fullName(where), number: effect.blocker };
  const written = await addUnlessUnsupported(() =>
    context.github.addBlockedBy(repository, row.issue, effect.blocker, where),
  );
  const read = await readBlockers(context, repository, row.issue);
  return { result: { written }, also: (tables) => tables.blockers.put(withReported(read, blocker)) };
};

async function addUnlessUnsupported(add: () => Promise<void>): Promise<boolean> {
  try {
    await add();
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "unsupported") return false;
    throw error;
  }
}
