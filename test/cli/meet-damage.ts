import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { removeTree } from "../../src/adapters/git/worktree/remove-tree.ts";
import { deleteConversation, syncConversation } from "../../src/adapters/runtimes/copilot/conversation.ts";
import { createDataDisk } from "../../src/server/data-disk.ts";
import { agentDirectories } from "../../src/server/session-directories.ts";
import { DAMAGES, damage } from "../damages.ts";
import { randomOf } from "../random.ts";

const REPOSITORY = 7;
const SESSION = "s1";

/** Below the data directory: what an agent, or a setup that it wrote, can change. */
export const WRITABLE = [
  "sessions/1/home",
  "sessions/1/home/.cache",
  "sessions/1/tmp",
  "sessions/1/workplace",
  "sessions/1/session-state",
  `sessions/1/session-state/${SESSION}`,
  `sessions/1/session-state/${SESSION}/events.jsonl`,
  "evaluations/1/home",
  `caches/${REPOSITORY}/npm`,
  "worktrees/1/a.txt",
  "worktrees/1/.git",
];

/** All that lies below, links as links, with rights and contents. */
function treeOf(directory: string): readonly unknown[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const found = lstatSync(join(directory, name));
      return [name, found.mode, found.isFile() ? readFileSync(join(directory, name), "utf8") : null];
    });
}

/**
 * Damages at random what an agent can write, has the host make, read, count and delete its directories, and checks that
 * nothing else was touched. `seed` decides what is damaged. Returns how many rounds it was.
 */
export async function meetDamage(seed: number, rounds: number): Promise<number> {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[], none: T): T => from[Math.floor(random() * from.length)] ?? none;
  const top = mkdtempSync(join(tmpdir(), "flotilla-damaged-"));
  onTestFinished(() => {
    execFileSync("chmod", ["-R", "u+rwX", top], { stdio: "ignore" });
    rmSync(top, { recursive: true, force: true });
  });
  const [dataDir, outside] = [join(top, "data"), join(top, "outside")];
  mkdirSync(outside);
  writeFileSync(join(outside, "canary"), "alive", { mode: 0o640 });
  const directories = agentDirectories(dataDir);
  await directories.home(2);
  await directories.evaluation(2);
  writeFileSync(join(dataDir, "sessions/2/home/kept"), "of another agent");
  const others = () => [
    treeOf(outside),
    treeOf(join(dataDir, "sessions/2")),
    treeOf(join(dataDir, "evaluations/2")),
  ];
  const before = others();

  for (let round = 0; round < rounds; round += 1) {
    for (const path of WRITABLE) mkdirSync(join(dataDir, dirname(path)), { recursive: true });
    writeFileSync(
      join(dataDir, "sessions/1/session-state", SESSION, "events.jsonl"),
      '{"type":"session.start"}\n',
    );
    const damaged = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
      path: pick(WRITABLE, ""),
      how: pick(DAMAGES, "nothing"),
    }));
    for (const { path, how } of damaged) {
      const at = join(dataDir, path);
      // A damage before it may have taken its place away.
      if (!existsSync(dirname(at)) || !lstatSync(dirname(at)).isDirectory()) continue;
      damage(at, how, { outside, random });
    }
    const place = { sessionId: SESSION, baseDirectory: await directories.session(1) };
    const worktreePath = join(dataDir, "worktrees/1");
    await syncConversation(place).catch(() => undefined);
    for (const made of [await directories.home(1), await directories.workplace(1)])
      expect([damaged, lstatSync(made).isDirectory()]).toEqual([damaged, true]);
    const cache = await directories.cache(REPOSITORY, ["npm"]);
    expect([damaged, lstatSync(join(cache, "npm")).isDirectory()]).toEqual([damaged, true]);
    await createDataDisk(dataDir, []).used({ agentId: 1, worktreePath }, 100_000);
    await deleteConversation(place, removeTree);
    await directories.drop(1);
    await removeTree(worktreePath);
    expect([damaged, existsSync(join(dataDir, "sessions/1")), existsSync(worktreePath)]).toEqual([
      damaged,
      false,
      false,
    ]);
    expect([damaged, others()]).toEqual([damaged, before]);
  }
  return rounds;
}
