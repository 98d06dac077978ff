import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createWorktrees } from "../src/adapters/git/worktree/create-worktrees.ts";
import type { Log } from "../src/domain/ports/log.ts";
import type { WorktreeRef } from "../src/domain/ports/worktrees.ts";
import { startGitServer } from "../test/adapters/git/http-server.ts";
import { isolationHere } from "../test/adapters/git/isolation-here.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { type PlainGit, plainGit } from "./plain-git.ts";
import { inTemporary, timed } from "./work.ts";

/**
 * Measures how long an agent of a large repository waits for its files. The reference is plain git with the same
 * server. Deletes nothing before the end, because some file systems create files slowly for minutes after many were
 * deleted.
 */
export const worktree: Bench = {
  name: "worktree",
  about: "a worktree of 50,000 files made ready, beside plain git",
  run: (size) =>
    inTemporary(async (directory) => {
      const server = await startGitServer(join(directory, "server"), TOKEN);
      try {
        await server.createRepository(NAME, manyFiles(SIZES[size].files));
        return await measure(directory, server.url, size);
      } finally {
        await server.close();
      }
    }),
};

const SIZES = { full: { files: 50_000, rounds: 3 }, small: { files: 100, rounds: 1 } } as const;
const DIRECTORIES = 50;
const FILE_BYTES = 2_000;
const TOKEN = "a-token-of-the-bench";
const NAME = "acme/large";
const ADD = ["worktree", "add", "--quiet", "--detach"];
const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {} };

async function measure(directory: string, url: string, size: Size): Promise<readonly Row[]> {
  const at = (name: string, round: number) => join(directory, `${name}-${round}`);
  const git = plainGit(directory);
  const remote = `${url.replace("://", `://x-access-token:${TOKEN}@`)}/${NAME}.git`;
  const mirror = join(directory, "plain.git");
  await git("clone", "--quiet", "--bare", remote, mirror);
  const ready = (round: number, issue: number) => prepare(at("ours", round), url, issue);

  // In each round in this order, so that ours and the reference alternate.
  const ways = {
    clone: (round: number) => git("clone", "--quiet", remote, at("clone", round)),
    first: (round: number) => ready(round, 1),
    plain: (round: number) => git("-C", mirror, ...ADD, at("plain", round), "main"),
    next: (round: number) => ready(round, 2),
    workers: (round: number) =>
      git("-c", "checkout.workers=2", "-C", mirror, ...ADD, at("workers", round), "main"),
    sparse: (round: number) => addSparse(git, mirror, at("sparse", round)),
    status: (round: number) => git("-C", at("plain", round), "status", "--porcelain"),
    again: (round: number) => ready(round, 2),
  };
  const took = new Map<string, number[]>();
  for (let round = 0; round < SIZES[size].rounds; round += 1) {
    for (const [name, way] of Object.entries(ways))
      took.set(name, [...(took.get(name) ?? []), await timed(() => way(round))]);
    assertWhole(at("plain", round), await ready(round, 2));
  }
  const of = (name: keyof typeof ways): readonly number[] => took.get(name) ?? [];
  return [
    inMs("first worktree of a repository", of("first"), "git clone", of("clone")),
    inMs("each after it, 2 checkout workers", of("next"), "git worktree add", of("plain")),
    inMs(
      "the same beside as many workers",
      of("next"),
      "git worktree add, 2 checkout workers",
      of("workers"),
    ),
    inMs(
      "the same beside a part of the files",
      of("next"),
      "git worktree add, sparse: 1 directory in 50",
      of("sparse"),
    ),
    inMs("ready again, when its agent wakes", of("again"), "git status", of("status")),
  ];
}

function inMs(what: string, ours: readonly number[], name: string, rounds: readonly number[]): Row {
  return { what, unit: "ms", ours, reference: { name, rounds } };
}

async function addSparse(git: PlainGit, mirror: string, path: string): Promise<void> {
  await git("-C", mirror, "worktree", "add", "--quiet", "--detach", "--no-checkout", path, "main");
  await git("-C", path, "sparse-checkout", "set", "--cone", "d0");
  await git("-C", path, "checkout", "--quiet");
}

/** Prepares the worktree of an issue's agent, as after a start of Flotilla on that data. Returns its path. */
async function prepare(dataDir: string, serverUrl: string, issue: number): Promise<string> {
  const worktrees = createWorktrees({
    dataDir,
    serverUrl,
    token: () => Promise.resolve(TOKEN),
    isolation: isolationHere(dataDir),
    log: QUIET,
  });
  const ref: WorktreeRef = {
    repository: { id: 1, owner: "acme", name: "large", installationId: 1 },
    name: `feat-dev-issue-${issue}`,
    branch: `flotilla/feat-dev/issue-${issue}`,
  };
  return (await worktrees.prepare(ref, { base: null, reusePushed: false })).path;
}

/** Throws unless both are complete: a figure for an incomplete checkout would be worthless. */
function assertWhole(theirs: string, ours: string): void {
  const [there, here] = [theirs, ours].map((path) => readdirSync(path, { recursive: true }).length);
  if (here !== there)
    throw new Error(`the worktree has ${String(here)} entries, that of plain git ${String(there)}`);
}

/** Creates files with unique text, in directories of the same size. */
function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `d${index % DIRECTORIES}/part/file-${index}.ts`,
      `export const value${index} = ${index};\n`.repeat(FILE_BYTES / 40),
    ]),
  );
}
