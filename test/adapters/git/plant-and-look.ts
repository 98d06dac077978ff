import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { proved } from "../../proved.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";
import { GROUPS } from "./vectors/groups.ts";
import type { Ground, Vector } from "./vectors/vector.ts";

/** Changed on both sides, at its beginning by the agent, at its end by others. */
const SHARED = "shared.txt";
const MIDDLE = "one\ntwo\n";

/** Every operation of ours that runs git, in an order in which each has something to do. */
function operationsOf(harness: RealHarness, index: number, path: string, baseCommit: string) {
  const { repository, worktrees } = harness;
  const ref = { repository, name: `dev-${index}`, branch: `flotilla/dev/${index}` };
  const other = { repository, name: `other-${index}`, branch: `flotilla/other/${index}` };
  const write = (text: string) => writeFile(join(path, SHARED), `${text} ${index}\n${MIDDLE}`);
  const commit = () => worktrees.commit(ref, { message: "work", author: AUTHOR });
  const moveMain = (text: string) =>
    harness.serverCommit("main", { [SHARED]: `${MIDDLE}${text} ${index}\n` });
  const head = async () => (await harness.serverHead(ref.branch)) ?? "";
  return {
    status: () => worktrees.status(ref),
    digest: () => worktrees.digest(ref, [SHARED]),
    tree: () => worktrees.tree(ref),
    pending: () => write("first").then(() => worktrees.pending(ref, 10_000)),
    checkpoint: () => worktrees.checkpoint(ref),
    commit,
    restore: () => worktrees.restore(ref, [SHARED, "src", "new.txt"]),
    diff: () => worktrees.diff(ref, baseCommit, 1_000),
    push: () => worktrees.push(ref),
    inspect: async () => worktrees.inspect(ref, { commit: await head(), base: "main" }),
    prepare: () => moveMain("later").then(() => worktrees.prepare(ref, FRESH)),
    behind: () => worktrees.behind(ref, "main"),
    compareBranches: async () =>
      worktrees.compareBranches(repository, "main", [{ branch: ref.branch, approved: await head() }]),
    updateBranch: async () =>
      worktrees.updateBranch(repository, {
        branch: ref.branch,
        base: "main",
        expected: await head(),
        author: AUTHOR,
      }),
    takeUp: () => worktrees.prepare(ref, { base: null, reusePushed: true }),
    bringIn: () => moveMain("last").then(() => worktrees.bringIn(ref, "main")),
    commitMerge: commit,
    checkout: async () => worktrees.checkout(ref, await head()),
    removeCheckout: () => worktrees.removeCheckout(ref),
    create: () => worktrees.prepare(other, FRESH),
    removeOther: () => worktrees.remove(other, { base: "main" }),
    forget: () => worktrees.forget(other),
    archive: () => write("second").then(() => worktrees.remove(ref, { base: "main" })),
  };
}

type Operation = keyof ReturnType<typeof operationsOf>;

/** Operations that between them run every kind of git's work: looking, filtering, hooks, merging, transport, packing. */
const FEW: ReadonlySet<string> = new Set<Operation>([
  "status",
  "pending",
  "checkpoint",
  "commit",
  "restore",
  "diff",
  "push",
  "prepare",
  "bringIn",
  "commitMerge",
  "checkout",
  "create",
  "archive",
]);

/**
 * Plants each vector, sees plain git set it off, and sees no operation of ours do so. The first group, with vectors of
 * every kind, goes through all operations; the others do where `thorough`, and else through some.
 */
export function nothingPlantedRuns(
  title: string,
  { thorough, proof }: { thorough: boolean; proof: { promise: string; test: string } },
): void {
  // oxlint-disable-next-line vitest/valid-title -- each file that calls this gives a string
  describe(title, { timeout: 120_000 }, () => {
    let harness: RealHarness;
    const counts = { vectors: 0, refused: 0, operations: 0, fired: 0 };
    beforeAll(async () => {
      harness = await realHarness();
    });
    afterAll(() => harness.close());

    it.each(GROUPS.map((group, index) => [group.map(({ name }) => name).join(", "), group, index] as const))(
      "%s",
      async (_name, group, index) => {
        const name = `dev-${index}`;
        const ref = { repository: harness.repository, name, branch: `flotilla/dev/${index}` };
        await harness.serverCommit("main", { [SHARED]: MIDDLE });
        const { path, baseCommit } = await harness.worktrees.prepare(ref, FRESH);
        // Both sides have a commit that changes one file: there is something to compare and to merge.
        await writeFile(join(path, SHARED), `zero ${index}\n${MIDDLE}`);
        await harness.worktrees.commit(ref, { message: "work", author: AUTHOR });
        await harness.serverCommit("main", { [SHARED]: `${MIDDLE}three ${index}\n` });
        await harness.worktrees.prepare(ref, FRESH);
        const planted = await Promise.all(
          group.map(async (vector, number) => {
            const outside = join(harness.dataDir, "..", "outside", `${index}-${number}`);
            await mkdir(outside, { recursive: true });
            return { vector, mark: join(outside, "fired"), ground: groundOf(harness, name, outside) };
          }),
        );
        const plantAll = async () => {
          for (const { vector, ground } of planted) await vector.plant(ground);
          for (const { mark } of planted) await rm(mark, { force: true });
        };
        const fired = () => planted.filter(({ mark }) => existsSync(mark)).map(({ vector }) => vector.name);

        for (const { vector, ground, mark } of planted) {
          await plantAll();
          await plainGit(path, vector.control(ground), false);
          // The control: plain git sets it off, where it lets anybody.
          expect([vector.name, existsSync(mark)]).toEqual([vector.name, vector.refused === undefined]);
        }

        const operations = Object.entries(operationsOf(harness, index, path, baseCommit)).filter(
          ([operation]) => thorough || index === 0 || FEW.has(operation),
        );
        const found: Record<string, readonly string[]> = {};
        for (const [operation, act] of operations) {
          await plantAll();
          for (const { mark } of planted) await rm(mark, { force: true });
          await act();
          if (fired().length > 0) found[operation] = fired();
        }
        expect(found).toEqual({});
        expect(await harness.serverHead(ref.branch)).not.toBeNull();
        counts.vectors += group.length;
        counts.refused += group.filter(isRefused).length;
        counts.operations += operations.length;
        counts.fired += Object.keys(found).length;
      },
    );

    it("and that was every vector", () => {
      expect(counts).toMatchObject({ vectors: GROUPS.flat().length, fired: 0 });
      proved({
        ...proof,
        figure: `${counts.vectors} vectors planted (${counts.refused} refused by git itself) before ${counts.operations} operations: ${counts.fired} fired`,
      });
    });
  });
}

function isRefused({ refused }: Vector): boolean {
  return refused !== undefined;
}

function groundOf(harness: RealHarness, name: string, outside: string): Ground {
  return {
    directory: harness.directory(name),
    mirror: harness.mirror,
    entry: join(harness.mirror, "worktrees", name),
    outside,
    url: harness.server.url,
    fire: `touch ${join(outside, "fired")}`,
  };
}
