import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import { mirrorGit } from "../mirror/mirror.ts";
import type { GitHost } from "../process/git-host.ts";
import { runGit } from "../process/run-git.ts";
import { assertCommit, assertSafeBranch } from "../process/safe-names.ts";
import { mirrorPath } from "../process/worktree-paths.ts";
import { removeTree } from "../worktree/remove-tree.ts";

/** Agents of a trial reach this repository: besides the settings of every bare one, nothing may come from elsewhere. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[gc]
\tauto = 0
`;

/**
 * Makes a bare repository of the commit and its ancestors, with one branch at it. It has no other ref and no other object, so
 * nothing in it tells of what came later. Does nothing where the directory exists.
 */
export async function makeLoneHistory(
  host: GitHost,
  repository: RepositoryRef,
  place: { readonly commit: string; readonly branch: string; readonly directory: string },
): Promise<void> {
  const { commit, branch, directory } = place;
  assertSafeBranch(branch);
  assertCommit(commit);
  if (existsSync(directory)) return;
  // A process that dies leaves only this.
  const draft = `${directory}.draft`;
  await removeTree(draft);
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
  await runGit(host, {
    args: ["init", "--bare", "--quiet", "--template=", `--initial-branch=${branch}`, draft],
    purpose: "make the repository of a case",
  });
  await writeFile(join(draft, "config"), CONFIG);
  await packInto(host, mirrorPath(host.dataDir, repository), { into: draft, revisions: [commit] });
  await runGit(host, {
    args: [`--git-dir=${draft}`, "update-ref", `refs/heads/${branch}`, commit],
    purpose: "make the branch of a case",
  });
  await rename(draft, directory);
}

/** Adds to the mirror what a repository of a case has since the commit `since`: the work of an agent. */
export async function takeWork(
  host: GitHost,
  repository: RepositoryRef,
  work: { readonly directory: string; readonly head: string; readonly since: string },
): Promise<void> {
  for (const commit of [work.head, work.since]) assertCommit(commit);
  await packInto(host, work.directory, {
    into: mirrorPath(host.dataDir, repository),
    revisions: [work.head, `^${work.since}`],
  });
  // Reads all of it, so that nothing missing or damaged is found only at a checkout.
  await mirrorGit(host, repository, {
    args: ["rev-list", "--objects", "--quiet", work.head, `^${work.since}`],
    purpose: "read an agent's work",
  });
}

/** Copies the objects that the revisions reach, as one pack. No transport is used, so no ref or configuration is read. */
async function packInto(
  host: GitHost,
  from: string,
  { into, revisions }: { readonly into: string; readonly revisions: readonly string[] },
): Promise<void> {
  await runGit(host, {
    args: [`--git-dir=${from}`, "pack-objects", "--revs", "--quiet", join(into, "objects", "pack", "pack")],
    input: `${revisions.join("\n")}\n`,
    purpose: "copy the history of a case",
  });
}
