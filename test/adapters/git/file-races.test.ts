import { execFileSync } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitHost, type GitHost } from "../../../src/adapters/git/process/git-host.ts";
import { canBeHeld } from "../../../src/adapters/git/worktree/changes.ts";
import { clearTheWay } from "../../../src/adapters/git/worktree/clear-path.ts";
import { digestFiles } from "../../../src/adapters/git/worktree/create-worktrees.ts";
import { ensureExactFile } from "../../../src/adapters/git/worktree/exact-file.ts";
import { moveNested } from "../../../src/adapters/git/worktree/nested.ts";
import { sumSizes } from "../../../src/adapters/git/worktree/paths-below.ts";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { SILENT_LOG } from "../../power-loss/silent-log.ts";
import { type Canary, layCanary } from "../../races/canary.ts";
import { type Exchanged, type Racer, startRacer } from "../../races/racer.ts";
import { isolationHere } from "./isolation-here.ts";

const ROUNDS = 200;
const REF = {
  repository: { id: 4711, owner: "octo", name: "app", installationId: 1 },
  name: "dev",
  branch: "flotilla/dev",
};

/** What the host does by itself with an agent's files, while a process exchanges them for links that lead out. */
describe("a link that takes a file's or directory's place meanwhile", { timeout: 300_000 }, () => {
  let root: string;
  let worktree: string;
  let canary: Canary;
  let host: GitHost;
  let racer: Racer | undefined;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "flotilla-races-")));
    worktree = join(root, "data", "worktrees", "4711", "dev");
    await mkdir(worktree, { recursive: true });
    canary = await layCanary(join(root, "outside"));
    host = createGitHost({
      dataDir: join(root, "data"),
      serverUrl: "http://127.0.0.1:1",
      token: () => Promise.reject(new Error("nobody asks for it")),
      isolation: isolationHere(join(root, "data")),
      log: SILENT_LOG,
    });
  });

  afterEach(async () => {
    await racer?.stop();
    racer = undefined;
    await rm(root, { recursive: true });
  });

  /** A directory of this name and a link beside it to the canary, exchanged for ever. */
  async function exchangeDirectory(name = "d"): Promise<Exchanged> {
    const pair = {
      as: "directory",
      first: join(worktree, name),
      link: join(worktree, `${name}-away`),
      target: canary.directory,
    } as const;
    await mkdir(pair.first, { recursive: true });
    await symlink(pair.target, pair.link);
    return pair;
  }

  /** The first round after which the canary is not as it was, and how. */
  async function firstTouched(pair: Exchanged, round: () => Promise<unknown>): Promise<readonly string[]> {
    racer = await startRacer([pair]);
    for (let at = 1; at <= ROUNDS; at += 1) {
      await whileExchanged(racer, round);
      const touched = await canary.touched();
      if (touched.length > 0) return [`round ${at}`, ...touched];
    }
    expect(await racer.stop()).toBeGreaterThan(ROUNDS);
    racer = undefined;
    return [];
  }

  it("loses no file to the removing of pipes", async () => {
    const pair = await exchangeDirectory();
    const pipes = ["file.txt", "secret.txt", "pipe"].flatMap((name) => [
      join(pair.first, name),
      join(pair.link, name),
    ]);
    expect(
      await firstTouched(pair, async () => {
        makePipes(pipes);
        await clearTheWay(worktree);
      }),
    ).toEqual([]);
  });

  it("keeps its mode where directories are made readable", async () => {
    const pair = await exchangeDirectory();
    const closed = [join(pair.first, "closed"), join(pair.link, "closed")];
    expect(
      await firstTouched(pair, async () => {
        // The canary's is not empty, and stays.
        for (const path of closed) await rmdir(path).catch(() => undefined);
        for (const path of closed) await mkdir(path, { mode: 0o055 }).catch(() => undefined);
        await clearTheWay(worktree);
      }),
    ).toEqual([]);
  });

  it("loses no file to the deleting of a tree", async () => {
    const pair = await exchangeDirectory("tree/d");
    expect(
      await firstTouched(pair, async () => {
        await mkdir(join(worktree, "tree"), { recursive: true });
        await removeTree(join(worktree, "tree")).catch(ifOvertaken);
      }),
    ).toEqual([]);
  });

  it("keeps its mode where files are made readable", async () => {
    // Its owner may not read it either: any other is left as it is, even through a link.
    const target = join(root, "unreadable");
    await writeFile(target, "", { mode: 0o200 });
    const pair = { as: "file", first: join(worktree, "f"), link: join(worktree, "f-away"), target } as const;
    await writeFile(pair.first, "");
    await symlink(target, pair.link);
    const file = await open(pair.first);
    const change = { path: "f", quoted: "f", deleted: false, staged: false };
    racer = await startRacer([pair]);
    for (let at = 1; at <= ROUNDS; at += 1) {
      await whileExchanged(racer, async () => {
        await file.chmod(0o244);
        await canBeHeld(host, REF, [change]);
      });
      expect([at, (await stat(target)).mode & 0o777]).toEqual([at, 0o200]);
    }
    await file.close();
  });

  it("is read into no digest", async () => {
    const target = join(canary.directory, "file.txt");
    const first = join(worktree, "package.json");
    const pair = { as: "file", first, link: join(worktree, "away"), target } as const;
    await writeFile(first, "{}");
    await symlink(target, pair.link);
    expect(await firstTouched(pair, () => digestFiles(host, REF, ["package.json"]))).toEqual([]);
  });

  it("is not read where the worktree's link to its git data is put back", async () => {
    const target = join(canary.directory, "file.txt");
    const first = join(worktree, ".git");
    const pair = { as: "file", first, link: join(worktree, "away"), target } as const;
    await writeFile(first, "gitdir\n", { mode: 0o644 });
    await symlink(target, pair.link);
    expect(
      await firstTouched(pair, async () => {
        // It was replaced in the round before.
        await symlink(target, `${pair.link}-new`);
        await rename(`${pair.link}-new`, pair.link);
        await ensureExactFile(first, "gitdir\n", 0o644);
      }),
    ).toEqual([]);
  });

  it("is not moved into the archive as a nested repository", async () => {
    const pair = await exchangeDirectory();
    expect(
      await firstTouched(pair, async () => {
        await mkdir(join(pair.first, "kept")).catch(() => undefined);
        await moveNested(host, REF, ["d/kept/"]).catch(ifOvertaken);
      }),
    ).toEqual([]);
  });

  it("is counted in no sum of sizes", async () => {
    const pair = await exchangeDirectory();
    await writeFile(join(pair.first, "file.txt"), "");
    racer = await startRacer([pair]);
    const sums = new Set<number>();
    for (let at = 0; at < ROUNDS; at += 1)
      sums.add(await sumSizes(worktree, [Buffer.from("d/secret.txt"), Buffer.from("d/file.txt")]));
    expect([...sums]).toEqual([0]);
  });
});

it("a pipe that takes a file's place meanwhile holds up no digest", async () => {
  const root = await mkdtemp(join(tmpdir(), "flotilla-races-"));
  const worktree = join(root, "worktrees", "4711", "dev");
  const [first, link] = [join(worktree, "package.json"), join(worktree, "away")];
  await mkdir(worktree, { recursive: true });
  await writeFile(first, "{}");
  makePipes([link]);
  const racer = await startRacer([{ as: "file", first, link, target: "nowhere" }]);
  const host = createGitHost({
    dataDir: root,
    serverUrl: "http://127.0.0.1:1",
    token: () => Promise.reject(new Error("nobody asks for it")),
    isolation: isolationHere(root),
    log: SILENT_LOG,
  });
  for (let at = 0; at < ROUNDS; at += 1)
    await whileExchanged(racer, () => digestFiles(host, REF, ["package.json"]));
  expect(await racer.stop()).toBeGreaterThan(ROUNDS);
  await rm(root, { recursive: true });
});

/** Acts until something was exchanged meanwhile: on a busy machine the racer may not have had its turn. */
async function whileExchanged(racer: Racer, act: () => Promise<unknown>): Promise<void> {
  const before = racer.exchanges();
  do await act();
  while (racer.exchanges() === before);
}

/** What is there already stays. */
function makePipes(paths: readonly string[]): void {
  try {
    execFileSync("mkfifo", paths, { stdio: "ignore" });
  } catch {
    // Some were there.
  }
}

function ifOvertaken(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (!["ENOENT", "ENOTEMPTY", "ENOTDIR", "EEXIST", "ELOOP"].includes(String(code))) throw error;
}
