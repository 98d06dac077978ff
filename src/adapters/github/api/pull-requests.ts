import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import type { GitHubPullRequest } from "../../../domain/ports/github-changes.ts";
import { seen } from "../client/lagging.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { pullRequestShape, reviewCommentShape, reviewShape } from "./pull-shapes.ts";

type Wanted = Parameters<GitHub["openPullRequest"]>[1];

export function createPullRequests(
  room: Room,
): Pick<GitHub, "pullRequest" | "pullRequests" | "reviews" | "reviewComments" | "openPullRequest"> {
  const { on } = room;

  const list: GitHub["pullRequests"] = async (repository, { head }) => {
    const filter = head === undefined ? {} : { head: `${repository.owner}:${head}` };
    const state = head === undefined ? ("open" as const) : ("all" as const);
    const pulls = pages(
      (page) => on(repository).pulls.list({ ...at(repository), state, ...filter, ...page }),
      z.array(pullRequestShape),
    );
    return Array.fromAsync(pulls);
  };

  /**
   * Finds the pull request of an earlier attempt of ours, whatever its state, otherwise an open one of ours with the
   * same branches. Throws `conflict` if somebody else's open one is in the way.
   */
  async function existing(repository: RepositoryRef, wanted: Wanted): Promise<GitHubPullRequest | undefined> {
    const { botId } = await room.identity();
    const pulls = await list(repository, { head: wanted.head });
    const expected = { repositoryId: repository.id, key: wanted.key, botId };
    const ofThisKey = pulls.find((pull) => room.marker.recognises(pull, expected));
    if (ofThisKey) return ofThisKey;
    const open = pulls.find((pull) => pull.state === "open" && pull.baseRef === wanted.base);
    if (open && open.author.id !== botId) throw foreignPull(repository, open);
    return open;
  }

  return {
    async pullRequest(repository, number) {
      const asked = on(repository).pulls.get({ ...at(repository), pull_number: number });
      return readAnswer(asked, pullRequestShape);
    },

    pullRequests: list,

    async reviews(repository, number) {
      const reviews = pages(
        (page) => on(repository).pulls.listReviews({ ...at(repository), pull_number: number, ...page }),
        z.array(reviewShape),
      );
      const all = await Array.fromAsync(reviews);
      return all.filter((review) => review !== null);
    },

    async reviewComments(repository, number) {
      const comments = pages(
        (page) =>
          on(repository).pulls.listReviewComments({ ...at(repository), pull_number: number, ...page }),
        z.array(reviewCommentShape),
      );
      return Array.fromAsync(comments);
    },

    async openPullRequest(repository, wanted) {
      const found = seen(await existing(repository, wanted), { ...wanted, clock: room.clock });
      if (found) return found;
      try {
        const { title, head, base, draft } = wanted;
        const body = room.marker.sign(repository.id, wanted.key, wanted.body);
        const asked = { ...at(repository), title, body, head, base, draft };
        return await readAnswer(on(repository).pulls.create(asked), pullRequestShape);
      } catch (error) {
        if (!(error instanceof GitHubError) || error.code !== "invalid") throw error;
        if (/no commits between/i.test(error.message)) throw nothingToPropose(repository, wanted, error);
        if (!/already exists/i.test(error.message)) throw error;
        const meanwhile = await existing(repository, wanted);
        if (meanwhile) return meanwhile;
        throw notYetShown(repository, wanted, error);
      }
    },
  };
}

/** GitHub's lists lag behind: a later attempt finds it. */
function notYetShown(repository: RepositoryRef, { head }: Wanted, error: GitHubError): GitHubError {
  const text = `${fullName(repository)} has a pull request from ${head} that its lists do not show yet`;
  return new GitHubError("unseen", text, error.status, { consequence: "retry" });
}

function nothingToPropose(
  repository: RepositoryRef,
  { head, base }: Wanted,
  error: GitHubError,
): GitHubError {
  const text = `No pull request in ${fullName(repository)}: ${head} has no commit that ${base} lacks`;
  return new GitHubError("invalid", text, error.status, {
    consequence: "tell",
    advice:
      "Commit and push a change to the branch first; if the work is in the base already, close the issue.",
  });
}

function foreignPull(repository: RepositoryRef, pull: GitHubPullRequest): GitHubError {
  const text = `${fullName(repository)}#${pull.number} from ${pull.headRef} into ${pull.baseRef} was opened by ${pull.author.login}`;
  return new GitHubError("conflict", text, 422, {
    consequence: "tell",
    advice: `Close or merge ${pull.url}; a pull request that is not ours is never taken over.`,
  });
}
