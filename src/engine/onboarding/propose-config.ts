import { atLevel } from "../../domain/access/level.ts";
import type { Executor } from "../outbox/execution.ts";

/**
 * Proposes one new file: branch and commit first, then the pull request. Looks for each before creating it,
 * so that an interrupted try continues. Leaves a file alone that people have added meanwhile.
 */
export const proposeFile: Executor<"propose_file"> = async ({ context, repository, effect, row, level }) => {
  const { github } = context;
  const { branch, path, content, message, title, body } = effect;
  const there = await github.filesOf(repository, [path]);
  if (there.has(path)) return { result: { number: null, there: path } };
  const base = repository.defaultBranch;
  await github.addFileOnBranch(repository, { branch, base, path, content, message });
  const draft = atLevel(level, "propose_file") === "draft";
  const pull = await github.openPullRequest(repository, {
    key: row.key,
    title,
    body,
    head: branch,
    base,
    draft,
  });
  return { result: { number: pull.number, url: pull.url } };
};
