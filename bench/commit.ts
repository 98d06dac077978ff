import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWorktrees } from "../src/adapters/git/worktree/create-worktrees.ts";
import type { Log } from "../src/domain/ports/log.ts";
import type { WorktreeRef, Worktrees } from "../src/domain/ports/worktrees.ts";
import { startGitServer } from "../test/adapters/git/http-server.ts";
import { isolationHere } from "../test/adapters/git/isolation-here.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { type PlainGit, plainGit } from "./plain-git.ts";
import { inTemporary, timed } from "./work.ts";

/**
 * Measures how long the tool `commit` works on the files: the look at what would be committed, the commit itself, and
 * the status afterwards. The reference is `git add` and `git commit` on the same files.
 */
export const commit: Bench = {
  name: "commit",
  about: "a commit of 10 and of 5,000 changed files, beside plain git",
  run: (size) =>
    inTemporary(async (directory) => {
      const server = await startGitServer(join(directory, "server"), TOKEN);
      try {
        await server.createRepository(NAME, { "README.md": "one\n" });
        return await measure(directory, server.url, size);
      } finally {
        await server.close();
      }
    }),
};

const SIZES = {
  full: { files: [10, 5_000], rounds: 5 },
  small: { files: [10], rounds: 1 },
} as const;
const FILES_OF_A_DIRECTORY = 100;
const TOKEN = "a-token-of-the-bench";
const NAME = "acme/changing";
const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {} };
const AUTHOR = { name: "An agent", email: "agent@example.com" };
const IDENTITY = {
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
};
const REF: WorktreeRef = {
  repository: { id: 1, owner: "acme", name: "changing", installationId: 1 },
  name: "feat-dev-issue-1",
  branch: "flotilla/feat-dev/issue-1",
};
const MOST_PATCH_BYTES = 20 * 1024 * 1024;

async function measure(directory: string, serverUrl: string, size: Size): Promise<readonly Row[]> {
  const dataDir = join(directory, "data");
  const worktrees = createWorktrees({
    dataDir,
    serverUrl,
    token: () => Promise.resolve(TOKEN),
    isolation: isolationHere(dataDir),
    log: QUIET,
  });
  const { path } = await worktrees.prepare(REF, { base: null, reusePushed: false });
  const plain = join(directory, "plain");
  const git = plainGit(directory, IDENTITY);
  await git("clone", "--quiet", path, plain);
  const { files, rounds } = SIZES[size];
  const rows: Row[] = [];
  for (const count of files) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      await changeFiles(path, count, round);
      ours.push(await timed(() => commitOurs(worktrees)));
      await changeFiles(plain, count, round);
      theirs.push(await timed(() => commitPlain(git, plain)));
    }
    const what = `a commit of ${count.toLocaleString("en")} changed files`;
    rows.push({ what, unit: "ms", ours, reference: { name: "git add, git commit", rounds: theirs } });
  }
  return rows;
}

async function commitOurs(worktrees: Worktrees): Promise<void> {
  const { tree } = await worktrees.pending(REF, MOST_PATCH_BYTES);
  const made = await worktrees.commit(REF, { message: "work", author: AUTHOR, tree });
  const { clean } = await worktrees.status(REF);
  if (made === null || !clean) throw new Error("nothing was committed");
}

async function commitPlain(git: PlainGit, path: string): Promise<void> {
  await git("-C", path, "add", "--all");
  await git("-C", path, "commit", "--quiet", "--message=work");
}

/** Writes different text in each round; no two files are alike. */
async function changeFiles(root: string, count: number, round: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const directory = join(root, `of-${count}`, `d${Math.floor(index / FILES_OF_A_DIRECTORY)}`);
    if (index % FILES_OF_A_DIRECTORY === 0) await mkdir(directory, { recursive: true });
    await writeFile(
      join(directory, `file-${index}.ts`),
      `export const value${index} = ${round};\n`.repeat(20),
    );
  }
}
