import { LESSONS_FILE, withLesson } from "../../domain/lessons/lesson-file.ts";
import type { Executor } from "../outbox/execution.ts";
import { knownLesson, lessonsFile, openLesson } from "./proposals.ts";

/**
 * Proposes a lesson: branch and commit first, then the pull request, always a draft. Looks for each before creating it, so that an
 * interrupted try continues. Proposes nothing where people have opened, closed or written something meanwhile.
 */
export const proposeLesson: Executor<"propose_lesson"> = async ({ context, repository, effect, row }) => {
  const { github } = context;
  const { branch, line, message, title, body } = effect;
  const open = await openLesson(context, repository);
  if (open?.headRef === branch) return { result: { number: open.number, url: open.url } };
  if (open !== undefined) return { result: { not: `#${open.number} proposes a lesson already` } };
  const file = await lessonsFile(context, repository);
  if ("fault" in file) return { result: { not: file.fault } };
  const known = await knownLesson(context, repository, { line, branch, text: file.text });
  if (known !== null) return { result: { not: known } };
  const base = repository.defaultBranch;
  const content = withLesson(file.text, line);
  const change = { branch, base, path: LESSONS_FILE, content, message };
  await github.addFileOnBranch(repository, file.sha === null ? change : { ...change, replaces: file.sha });
  const pull = await github.openPullRequest(repository, {
    key: row.key,
    title,
    body,
    head: branch,
    base,
    draft: true,
  });
  return { result: { number: pull.number, url: pull.url } };
};
