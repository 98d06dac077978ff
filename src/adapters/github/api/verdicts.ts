import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHubVerdicts, WrittenCheck, WrittenReview } from "../../../domain/ports/github-changes.ts";
import { seen } from "../client/lagging.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { idShape, linkedShape } from "../client/shapes.ts";
import { reviewShape } from "./pull-shapes.ts";

const runsShape = z.object({
  check_runs: z.array(z.object({ id: z.int(), app: z.object({ id: z.int() }).nullish() })),
});

/** GitHub's message about a comment on a line that the diff does not show. */
const UNRESOLVED = /could not be resolved|must be part of the diff/i;

export function createVerdicts(room: Room): GitHubVerdicts {
  const { on } = room;

  /** Finds the review of an earlier attempt of ours. */
  async function written(repository: RepositoryRef, pull: number, key: string) {
    const { botId } = await room.identity();
    const reviews = pages(
      (page) => on(repository).pulls.listReviews({ ...at(repository), pull_number: pull, ...page }),
      z.array(reviewShape),
    );
    const all = (await Array.fromAsync(reviews)).filter((review) => review !== null);
    return all.find((review) => room.marker.recognises(review, { repositoryId: repository.id, key, botId }));
  }

  async function create(
    repository: RepositoryRef,
    pull: number,
    { key, event, commit }: WrittenReview,
    said: Pick<WrittenReview, "body" | "comments">,
  ) {
    const created = on(repository).pulls.createReview({
      ...at(repository),
      pull_number: pull,
      event,
      commit_id: commit,
      body: room.marker.sign(repository.id, key, said.body),
      comments: said.comments.map((comment) => ({ ...comment, side: "RIGHT" })),
    });
    return readAnswer(created, linkedShape);
  }

  async function ours(
    repository: RepositoryRef,
    { name, commit }: WrittenCheck,
  ): Promise<number | undefined> {
    const { appId } = await room.identity();
    const asked = on(repository).checks.listForRef({
      ...at(repository),
      ref: commit,
      check_name: name,
      filter: "latest",
    });
    const { check_runs: runs } = await readAnswer(asked, runsShape);
    return runs.find(({ app }) => app?.id === appId)?.id;
  }

  return {
    async writeReview(repository, pull, review) {
      const found = seen(await written(repository, pull, review.key), { ...review, clock: room.clock });
      if (found) return { id: found.id, url: found.url };
      try {
        return await create(repository, pull, review, review);
      } catch (error) {
        const unresolved =
          error instanceof GitHubError && error.code === "invalid" && UNRESOLVED.test(error.message);
        if (!unresolved || review.comments.length === 0) throw error;
        // GitHub refused the review as a whole, so nothing is written twice.
        return create(repository, pull, review, { body: review.bodyWithComments, comments: [] });
      }
    },

    async putCheck(repository, check) {
      const { name, commit, conclusion, title, summary, detailsUrl } = check;
      const state = {
        output: { title, summary },
        ...(detailsUrl === null ? {} : { details_url: detailsUrl }),
        ...(conclusion === null
          ? { status: "in_progress" as const }
          : { status: "completed" as const, conclusion }),
      };
      const known = await ours(repository, check);
      if (known !== undefined) {
        await on(repository).checks.update({ ...at(repository), check_run_id: known, ...state });
        return { id: known };
      }
      if (!check.create) return null;
      seen(known, { ...check, clock: room.clock });
      const created = on(repository).checks.create({ ...at(repository), name, head_sha: commit, ...state });
      return readAnswer(created, idShape);
    },
  };
}
