import { GitHubError } from "../../core/errors.ts";
import { statusComment as render } from "../../core/text/status-comment.ts";
import { runOf, taskOf } from "../surroundings.ts";
import type { Executor } from "./execution.ts";

/** Effects that people see on an issue. Each may run twice and is seen once. */

export const statusComment: Executor<"status_comment"> = async ({ context, repository, row }) => {
  const { store } = context;
  const agents = await store.records.find("agent", { repositoryId: repository.id, issue: row.issue });
  const shown = await Promise.all(
    agents.map(async (agent) => ({ agent, run: (await runOf(store, agent.id)) ?? null })),
  );
  const body = render({
    now: context.clock.now(),
    agents: shown,
    task: (await taskOf(store, repository.id, row.issue)) ?? null,
    decisions: await store.decisions.ofIssue(repository.id, row.issue, 20),
  });
  const knownId = await earlierComment(store, row.lane);
  const comment = await context.github.putComment(repository, row.issue, { key: "status", body, knownId });
  return { result: { id: comment.id } };
};

async function earlierComment(store: Parameters<typeof runOf>[0], lane: string): Promise<number | undefined> {
  const done = await store.effects.find({ lane, kind: "status_comment", state: "done" });
  const result = done.at(-1)?.result;
  return typeof result === "object" && result !== null && "id" in result && typeof result.id === "number"
    ? result.id
    : undefined;
}

export const postComment: Executor<"post_comment"> = async ({ context, repository, row, effect }) => {
  const { name: key, body } = effect;
  const comment = await context.github.putComment(repository, row.issue, { key, body, knownId: undefined });
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
  await context.github.react(repository, effect.commentId, effect.reaction);
  return { result: null };
};

export const addBlockedBy: Executor<"add_blocked_by"> = async ({ context, repository, row, effect }) => {
  try {
    await context.github.addBlockedBy(repository, row.issue, effect.blocker);
    return { result: { written: true } };
  } catch (error) {
    if (error instanceof GitHubError && error.code === "unsupported") return { result: { written: false } };
    throw error;
  }
};
