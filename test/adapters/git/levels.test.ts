import { afterEach, beforeEach, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

let harness: RealHarness;
const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
const refs = () => harness.server.git(harness.fullName, "for-each-ref", "--format=%(refname)");

beforeEach(async () => {
  harness = await realHarness();
});
afterEach(() => harness.close());

it.each(["observe", "comment"] as const)(
  "at %s work is committed and saved here, and the server is sent nothing",
  async (level) => {
    const { worktrees } = harness.restart({ level });
    await worktrees.prepare(ref(), FRESH);
    await harness.write("dev-issue-1", "a.txt", "one\n");
    const before = await refs();
    expect(await worktrees.checkpoint(ref())).toMatchObject({ pushed: false });
    const made = await worktrees.commit(ref(), { message: "Build it", author: AUTHOR });
    await expect(worktrees.push(ref())).rejects.toMatchObject({ code: "withheld", level });
    const base = { branch: "flotilla/dev/issue-1", base: "main", expected: "a".repeat(40), author: AUTHOR };
    expect(await worktrees.updateBranch(harness.repository, base)).toMatchObject({ kind: "moved" });
    expect(await refs()).toBe(before);
    expect((await worktrees.status(ref())).head).toBe(made?.commit);
    const { archive } = await worktrees.remove(ref(), { base: "main" });
    expect(archive?.path).toMatch(/bundle/);
    expect(await refs()).toBe(before);
  },
);
