import { createHash } from "node:crypto";
import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Proposing } from "../../../domain/ports/github-changes.ts";
import { at } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { shaShape } from "../client/shapes.ts";
import { contentShape } from "./repository-files.ts";

const LARGEST = 64 * 1024;

const commitShape = z.object({
  sha: z.string().min(1),
  commit: z.object({ tree: shaShape }),
  author: z.object({ id: z.int().optional() }).nullish(),
  parents: z.array(z.unknown()),
  files: z
    .array(z.object({ filename: z.string(), status: z.string(), sha: z.string().nullish() }))
    .nullish()
    .transform((files) => files ?? []),
});

type Wanted = Parameters<Proposing["addFileOnBranch"]>[1];

/**
 * Creates the operation that writes one file to a new branch, with git objects: unreferenced objects belong to
 * nobody, so only the branch matters. Only `committer` may write them.
 */
export function createProposing(
  { on, identity }: Pick<Room, "on" | "identity">,
  committer: Room["on"],
): Proposing {
  async function textOf(repository: RepositoryRef, path: string): Promise<string | undefined> {
    const asked = on(repository).repos.getContent({ ...at(repository), path });
    const found = await unlessMissing(readAnswer(asked, contentShape));
    if (found?.kind !== "file" || found.bytes > LARGEST) return undefined;
    return found.text;
  }

  async function blobAt(repository: RepositoryRef, path: string, ref: string): Promise<string | null> {
    const asked = on(repository).repos.getContent({ ...at(repository), path, ref });
    const found = await unlessMissing(readAnswer(asked, contentShape));
    return found?.kind === "file" ? found.sha : null;
  }

  async function headOf(repository: RepositoryRef, branch: string) {
    const asked = on(repository).repos.getCommit({ ...at(repository), ref: `heads/${branch}` });
    return readAnswer(asked, commitShape);
  }

  /**
   * Returns the commit of a branch if we wrote it and it contains exactly what is wanted. Throws `conflict` otherwise.
   */
  async function ours(
    repository: RepositoryRef,
    { branch, path, content, replaces }: Wanted,
  ): Promise<string> {
    const { botId } = await identity();
    const { sha, author, parents, files } = await headOf(repository, branch);
    const [file] = files;
    const same =
      author?.id === botId &&
      parents.length === 1 &&
      files.length === 1 &&
      file?.filename === path &&
      file.status === (replaces === undefined ? "added" : "modified") &&
      file.sha === blobOf(content);
    if (same) return sha;
    throw new GitHubError("conflict", `${fullName(repository)} has a branch ${branch} already`, 422, {
      consequence: "tell",
      advice: "Rename or delete that branch, then ask again; nobody's branch is overwritten.",
    });
  }

  return {
    async filesOf(repository, paths) {
      const texts = new Map<string, string>();
      for (const path of paths) {
        const text = await textOf(repository, path);
        if (text !== undefined) texts.set(path, text);
      }
      return texts;
    },

    async addFileOnBranch(repository, wanted) {
      const { branch, base, path, content, message, replaces } = wanted;
      const { git } = committer(repository);
      const head = await headOf(repository, base).catch((error: unknown) => {
        throw error instanceof GitHubError && error.status === 409 ? empty(repository) : error;
      });
      if (replaces !== undefined && (await blobAt(repository, path, head.sha)) !== replaces)
        throw new GitHubError("conflict", `${path} of ${fullName(repository)} has just changed`, 409, {
          consequence: "retry",
        });
      const treeMade = git.createTree({
        ...at(repository),
        base_tree: head.commit.tree.sha,
        tree: [{ path, mode: "100644", type: "blob", content }],
      });
      const { sha: tree } = await readAnswer(treeMade, shaShape);
      const committed = git.createCommit({ ...at(repository), message, tree, parents: [head.sha] });
      const { sha: commit } = await readAnswer(committed, shaShape);
      try {
        await git.createRef({ ...at(repository), ref: `refs/heads/${branch}`, sha: commit });
        return { commit };
      } catch (error) {
        if (!(error instanceof GitHubError) || !/already exists/i.test(error.message)) throw error;
        return { commit: await ours(repository, wanted) };
      }
    },
  };
}

/** GitHub answers 409 when a commit is requested from an empty repository. */
function empty(repository: RepositoryRef): GitHubError {
  return new GitHubError("conflict", `${fullName(repository)} is empty: it has no commit yet`, 409, {
    consequence: "tell",
    advice: "Push a first commit to its default branch, then ask again.",
  });
}

/** Returns the id that git gives the content of a file. */
function blobOf(content: string): string {
  const bytes = Buffer.from(content);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return undefined;
    throw error;
  }
}
