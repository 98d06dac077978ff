import type { ServerSigning } from "../../../src/domain/ports/worktrees.ts";
import type { GitServer } from "./http-server.ts";

/** How a git server makes commits in its own name, as one does that signs them. `made` has them in order. */
export function serverSigning(
  server: GitServer,
  repository: string,
): ServerSigning & { readonly made: string[] } {
  const git = (...args: string[]) => server.git(repository, ...args);
  const made: string[] = [];
  return {
    made,
    async commit({ tree, parents, message }) {
      const of = parents.flatMap((parent) => ["-p", parent]);
      const commit = await git("commit-tree", tree, ...of, "-m", message);
      made.push(commit);
      return commit;
    },
    async moveBranch(branch, commit) {
      const ref = `refs/heads/${branch}`;
      const before = await git("rev-parse", "--verify", "--quiet", ref).catch(() => null);
      const goesOn = before === null || (await git("merge-base", before, commit)) === before;
      if (goesOn) await git("update-ref", ref, commit);
      return goesOn;
    },
  };
}
