import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Worktrees } from "../../../src/domain/ports/worktrees.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const mortal = await vi.hoisted(() => import("./mortal.ts"));
vi.mock("../../../src/adapters/git/process/run-git.ts", async (original) =>
  mortal.mortalGit(await original()),
);
vi.mock("../../../src/adapters/git/process/run-process.ts", async (original) =>
  mortal.mortalProcesses(await original()),
);
vi.mock("../../../src/adapters/git/worktree/remove-tree.ts", async (original) =>
  mortal.mortalRemoval(await original()),
);
vi.mock("node:fs/promises", async (original) => mortal.mortalFiles(await original()));

const NAME = "dev-issue-1";
const OTHER = "dev-issue-2";
/** All that the agent has made, by where it lies; nothing of it is on the server. */
const WORK: Readonly<Record<string, string>> = {
  "committed.txt": "committed and not pushed\n",
  "README.md": "changed\n",
  "src/new.txt": "never seen by git\n",
  "vendor/tool/nested.txt": "in a repository of its own\n",
};

let harness: RealHarness;
let clone: string;
let foreign: string;
const refOf = (name: string) => ({ repository: harness.repository, name, branch: `flotilla/${name}` });
const snapshot = () => join(harness.dataDir, "..", "as it stands");
const blob = (text: string) =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex");

beforeAll(async () => {
  mortal.begin(0);
  harness = await realHarness();
  clone = join(harness.dataDir, "..", "clone");
  await plainGit(join(harness.dataDir, ".."), [
    "clone",
    "--quiet",
    "--bare",
    join(harness.dataDir, "..", "server", "octo/app.git"),
    clone,
  ]);
  for (const name of [OTHER, NAME]) {
    await harness.worktrees.prepare(refOf(name), FRESH);
    await harness.write(name, "committed.txt", WORK["committed.txt"] ?? "");
    await harness.worktrees.commit(refOf(name), { message: "work", author: AUTHOR });
  }
  await harness.worktrees.remove(refOf(OTHER), { base: "main" });
  const nested = join(harness.directory(NAME), "vendor", "tool");
  await mkdir(nested, { recursive: true });
  await plainGit(nested, ["init", "--quiet", "."]);
  for (const [path, text] of Object.entries(WORK)) await harness.write(NAME, path, text);
  foreign = await harness.serverCommit(refOf(NAME).branch, { "theirs.txt": "theirs\n" });
  await cp(harness.dataDir, snapshot(), { recursive: true, verbatimSymlinks: true });
}, 60_000);
afterAll(() => harness.close());

/** Everything as it was, and a host that knows nothing of an earlier life. */
async function again(diesAt: number): Promise<Worktrees> {
  mortal.begin(diesAt);
  return harness.restart().worktrees;
}

async function reset(): Promise<void> {
  mortal.begin(0);
  await rm(harness.dataDir, { recursive: true, force: true });
  await cp(snapshot(), harness.dataDir, { recursive: true, verbatimSymlinks: true });
}

/** What of the work can be had nowhere any more: not in the worktree, beside a bundle, or by any ref of the mirror. */
async function lost(): Promise<readonly string[]> {
  const ids = new Set(
    (await plainGit(harness.mirror, ["rev-list", "--objects", "--all"]))
      .split("\n")
      .map((line) => line.slice(0, 40)),
  );
  const places = [
    harness.directory(NAME),
    join(harness.dataDir, "archives", String(harness.repository.id), NAME, "nested"),
  ];
  const missing: string[] = [];
  for (const [path, text] of Object.entries(WORK)) {
    const texts = await Promise.all(
      places.map((place) => readFile(join(place, path), "utf8").catch(() => null)),
    );
    if (!ids.has(blob(text)) && !texts.includes(text)) missing.push(path);
  }
  return missing;
}

/** The act with a death at each of its changes, and after each death the act again by a new host. */
async function dyingEverywhere(
  act: (worktrees: Worktrees) => Promise<unknown>,
  after: () => Promise<unknown>,
): Promise<number> {
  await reset();
  await act(await again(0));
  const count = mortal.changes();
  for (let diesAt = 1; diesAt <= count; diesAt += 1) {
    await reset();
    await act(await again(diesAt)).catch((error: unknown) => {
      if (!mortal.died()) throw error;
    });
    const first = await lost();
    await act(await again(0));
    expect({ first, second: await lost() }, `after a death at change ${diesAt} of ${count}`).toEqual({
      first: [],
      second: [],
    });
    await after();
  }
  return count;
}

it("loses nothing at any step of an agent's end, and the archive that is told holds all of it", {
  timeout: 60_000,
}, async () => {
  let told = "";
  const end = async (worktrees: Worktrees) => {
    told = join(harness.dataDir, (await worktrees.remove(refOf(NAME), { base: "main" })).archive?.path ?? "");
  };
  const count = await dyingEverywhere(end, async () => {
    await plainGit(clone, ["fetch", "--quiet", told, `+refs/flotilla/archives/${NAME}:refs/heads/restored`]);
    const files = await plainGit(clone, ["ls-tree", "-r", "--format=%(path) %(objectname)", "restored"]);
    for (const path of ["committed.txt", "README.md", "src/new.txt"])
      expect(files.split("\n")).toContain(`${path} ${blob(WORK[path] ?? "")}`);
    expect(await readdir(join(harness.dataDir, "worktrees", String(harness.repository.id)))).toEqual([]);
  });
  expect(count).toBeGreaterThan(7);
});

it("loses nothing at any step of a stop", { timeout: 60_000 }, async () => {
  expect(
    await dyingEverywhere(
      (worktrees: Worktrees) => worktrees.checkpoint(refOf(NAME)),
      async () => {},
    ),
  ).toBeGreaterThan(1);
});

it("loses nothing at any step of a rebuild at the wake, on top of what a person pushed", {
  timeout: 60_000,
}, async () => {
  const count = await dyingEverywhere(
    (worktrees: Worktrees) => worktrees.prepare(refOf(NAME), { base: null, reusePushed: true }),
    async () => {
      expect(await readFile(join(harness.directory(NAME), "theirs.txt"), "utf8")).toBe("theirs\n");
      expect(await plainGit(harness.mirror, ["rev-parse", refOf(NAME).branch])).toBe(foreign);
    },
  );
  expect(count).toBeGreaterThan(4);
});

it("loses nothing at any step of forgetting another agent", { timeout: 60_000 }, async () => {
  await dyingEverywhere(
    (worktrees: Worktrees) => worktrees.forget(refOf(OTHER)),
    async () => {
      const left = await plainGit(harness.mirror, ["for-each-ref", "refs/flotilla"]);
      expect(left).not.toContain(OTHER);
      expect(left).toContain(NAME);
    },
  );
});
