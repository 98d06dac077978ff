import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const BOUNDS = { files: 100, fileBytes: 1000, bytes: 10_000 };

describe("The files of a change, before and after it", { timeout: 60_000 }, () => {
  let harness: RealHarness;
  let path: string;
  const ref = () => ({ repository: harness.repository, name: "dev-issue-1", branch: "flotilla/dev/issue-1" });
  const kinds = async (bounds: Partial<typeof BOUNDS> = {}) => {
    const { commit } = (await harness.worktrees.commit(ref(), { message: "m", author: AUTHOR })) ?? {
      commit: "",
    };
    const found = await harness.worktrees.changedFiles(ref(), {
      commit,
      base: "main",
      wanted: () => true,
      bounds: { ...BOUNDS, ...bounds },
    });
    return found.map((file) => [file.path, file.before?.kind ?? null, file.after?.kind ?? null]);
  };

  beforeEach(async () => {
    harness = await realHarness();
    ({ path } = await harness.worktrees.prepare(ref(), FRESH));
  });
  afterEach(() => harness.close());

  it("are no text where they are links, binary, or too large, and nothing is followed", async () => {
    await harness.write(ref().name, "src/a.txt", null);
    await symlink("/etc/passwd", join(path, "src/a.txt"));
    await writeFile(join(path, "binary"), Buffer.from([1, 0, 2]));
    await writeFile(join(path, "large"), "x".repeat(1001));
    await writeFile(join(path, "utf16"), Buffer.from("it()", "utf16le"));
    expect(await kinds()).toEqual([
      ["binary", null, "binary"],
      ["large", null, "large"],
      ["src/a.txt", "text", "link"],
      ["utf16", null, "binary"],
    ]);
  });

  it("are beyond the bounds where there are too many, or too much of them together", async () => {
    for (const name of ["a", "b", "c"]) await writeFile(join(path, name), `${name.repeat(500)}\n`);
    expect(await kinds({ bytes: 1100 })).toEqual([
      ["a", null, "text"],
      ["b", null, "text"],
      ["c", null, "beyond"],
    ]);
    await writeFile(join(path, "d"), "d\n");
    const few = await kinds({ files: 1 });
    expect(few.map(([, , after]) => after)).toEqual(["text", "text", "beyond", "beyond"]);
  });

  it("are read as they are, whatever attributes and separators they hold", async () => {
    await writeFile(join(path, ".gitattributes"), "* text eol=crlf\n*.x filter=evil diff=evil\n");
    await writeFile(join(path, "a.x"), "0123456789012345678901234567890123456789 blob 3\nabc\n");
    const { commit } = (await harness.worktrees.commit(ref(), { message: "m", author: AUTHOR })) ?? {
      commit: "",
    };
    const found = await harness.worktrees.changedFiles(ref(), {
      commit,
      base: "main",
      wanted: (name) => name === "a.x",
      bounds: BOUNDS,
    });
    const whole = await plainGit(harness.mirror, ["show", `${commit}:a.x`]);
    expect(found[0]?.after).toMatchObject({ kind: "text", text: `${whole}\n` });
  });

  it("are not read without the base branch", async () => {
    await writeFile(join(path, "a"), "a\n");
    const { commit } = (await harness.worktrees.commit(ref(), { message: "m", author: AUTHOR })) ?? {
      commit: "",
    };
    await expect(
      harness.worktrees.changedFiles(ref(), { commit, base: "gone", wanted: () => true, bounds: BOUNDS }),
    ).rejects.toMatchObject({ code: "base_not_found" });
  });
});
