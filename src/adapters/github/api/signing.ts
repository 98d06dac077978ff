import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Signing } from "../../../domain/ports/github-changes.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { shaShape } from "../client/shapes.ts";
import { rulesShape } from "./rules.ts";

const madeShape = z.object({
  sha: z.string().min(1),
  tree: shaShape,
  verification: z.object({ verified: z.boolean(), reason: z.string() }),
});

/**
 * Creates the operations by which GitHub makes commits. It signs what an App makes without naming author or committer, so
 * neither is named here. Only `pusher` may write.
 */
export function createSigning({ on }: Pick<Room, "on">, pusher: Room["on"]): Signing {
  async function takesSigned(repository: RepositoryRef, branch: string): Promise<boolean> {
    const rules = pages(
      (page) => on(repository).repos.getBranchRules({ ...at(repository), branch, ...page }),
      rulesShape,
    );
    for await (const { type } of rules) if (type === "required_signatures") return true;
    return false;
  }

  /** Returns false where the branch has appeared in the meantime. */
  async function created(repository: RepositoryRef, branch: string, sha: string): Promise<boolean> {
    try {
      await pusher(repository).git.createRef({ ...at(repository), ref: `refs/heads/${branch}`, sha });
      return true;
    } catch (error) {
      if (isRefusal(error, /already exists/i)) return false;
      throw error;
    }
  }

  return {
    async takesOnlySigned(repository, branches) {
      for (const branch of branches) if (await takesSigned(repository, branch).catch(unreadable)) return true;
      return false;
    },

    async makeSignedCommit(repository, { tree, parents, message }) {
      const { git } = pusher(repository);
      const asked = git.createCommit({ ...at(repository), tree, parents: [...parents], message });
      const { sha, tree: made, verification } = await readAnswer(asked, madeShape);
      if (made.sha !== tree) throw notSigned(`GitHub made the commit ${sha} with other files`);
      if (!verification.verified)
        throw notSigned(`GitHub did not sign the commit ${sha} (${verification.reason})`);
      return sha;
    },

    async moveBranch(repository, branch, commit) {
      try {
        const ref = `heads/${branch}`;
        await pusher(repository).git.updateRef({ ...at(repository), ref, sha: commit, force: false });
        return true;
      } catch (error) {
        if (isRefusal(error, /not a fast.?forward/i)) return false;
        if (isRefusal(error, /does not exist/i)) return created(repository, branch, commit);
        throw error;
      }
    },
  };
}

function isRefusal(error: unknown, words: RegExp): boolean {
  return error instanceof GitHubError && [404, 409, 422].includes(error.status) && words.test(error.message);
}

/** The App may not read the rules, or the server has none. */
function unreadable(error: unknown): false {
  if (error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code)) return false;
  throw error;
}

function notSigned(what: string): GitHubError {
  return new GitHubError("unsupported", what, 201, {
    consequence: "tell",
    advice:
      "Exempt the App in the ruleset that requires signatures, or have the server's administrator switch on the signing of commits made on it, then retry.",
  });
}
