import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whyLeftOut } from "../../../src/domain/evidence/left-out.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const REFUSED = [".GIT/f", "a/.Git", "a/git~1/f", "b/.git /f", "b/.git.../f", "c\\.git/f", "d/.git::x/f"];
const TAKEN = ["e/.gitx", "e/git~2/f", "f/.git ~1/f", "g/x.git/f"];

describe("Files whose names git refuses", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  let path: string;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });

  beforeEach(async () => {
    harness = await realHarness();
    ({ path } = await harness.worktrees.prepare(ref(), FRESH));
    for (const file of [...REFUSED, ...TAKEN]) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), `${file}\n`);
    }
  });
  afterEach(() => harness.close());

  it("are left out of a commit and named; all others are in it", async () => {
    const { tree, leftOut, files } = await harness.worktrees.pending(ref(), 100_000);
    expect(leftOut.toSorted()).toEqual(REFUSED.toSorted());
    expect(files.map((file) => file.path).toSorted()).toEqual(TAKEN.toSorted());
    const made = await harness.worktrees.commit(ref(), { message: "work", author: AUTHOR, tree });
    const listed = await plainGit(harness.mirror, ["ls-tree", "-r", "--name-only", made?.commit ?? ""]);
    expect(listed.split("\n")).toEqual(expect.arrayContaining(TAKEN));
    expect([...REFUSED, ...TAKEN].filter((file) => whyLeftOut(file) !== null)).toEqual(REFUSED);
  });

  it("are moved to the archive as they are when the worktree goes", async () => {
    const { archive } = await harness.worktrees.remove(ref(), { base: "main" });
    expect(archive).not.toBeNull();
    const kept = join(harness.dataDir, "archives", String(harness.repository.id), "dev-issue-1", "nested");
    expect(readFileSync(join(kept, "a/git~1/f"), "utf8")).toBe("a/git~1/f\n");
    expect(readdirSync(kept, { recursive: true })).toEqual(expect.arrayContaining(REFUSED));
  });
});
