import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Proposing } from "../../src/domain/ports/github-changes.ts";
import { type GitHubWorld, pullOf } from "./github-world.ts";

let branches = 0;

function aFile(overrides: Partial<Parameters<Proposing["addFileOnBranch"]>[1]> = {}) {
  const branch = `flotilla/configure-${++branches}`;
  const file = { branch, base: "main", path: ".github/new.yml", content: "# Größe: 1\n", message: "Add it" };
  return { ...file, ...overrides };
}

/** How one new file is proposed. */
export function proposingContract(setup: () => Promise<GitHubWorld>): void {
  let world: GitHubWorld;
  const made = (): GitHubWorld => world;
  beforeAll(async () => {
    world = await setup();
  });
  afterAll(() => world.close());

  const add = (file: ReturnType<typeof aFile>) => made().github.addFileOnBranch(made().repository, file);

  describe("a new file on a branch of its own", () => {
    it("is all that the branch changes", async () => {
      const { github, repository } = made();
      const file = aFile();
      const { commit } = await add(file);
      expect(commit).toMatch(/^[0-9a-f]{40}$/);
      const { number, author } = await github.openPullRequest(repository, pullOf(file.branch));
      expect(author.id).toBe((await github.identity()).botId);
      expect(await github.pullRequestFiles(repository, number)).toEqual([file.path]);
    });

    it("is there once however often it is asked for, also when the answer was lost", async () => {
      const file = aFile();
      made().loseNextWrite("addFileOnBranch", "after");
      await expect(add(file)).rejects.toMatchObject({ consequence: "retry", uncertain: true });
      const { commit } = await add(file);
      expect(await add(file)).toEqual({ commit });
    });

    it("is not there when the request was lost, and is made by the next try", async () => {
      const file = aFile();
      made().loseNextWrite("addFileOnBranch", "before");
      await expect(add(file)).rejects.toMatchObject({ consequence: "retry", uncertain: true });
      expect((await add(file)).commit).toMatch(/^[0-9a-f]{40}$/);
    });

    it("is never put on a branch that a person has made, nor over another file of ours", async () => {
      const file = aFile();
      await made().branch(file.branch, { ahead: true });
      const taken = { code: "conflict", consequence: "tell", uncertain: false };
      await expect(add(file)).rejects.toMatchObject(taken);
      // The very same change, and a person's all the same.
      const same = { ...file, path: `${file.branch}.md`, content: "Text\n" };
      await expect(add(same)).rejects.toMatchObject(taken);
      const ours = aFile();
      await add(ours);
      await expect(add({ ...ours, content: "# Other\n" })).rejects.toMatchObject(taken);
      await expect(add({ ...ours, path: "other.yml" })).rejects.toMatchObject(taken);
    });
  });

  describe("a change of a file on a branch of its own", () => {
    it("is all that the branch changes, and is there once", async () => {
      const { github, repository } = made();
      await made().putFile("AGENTS.md", "# Old\n");
      const before = await github.file(repository, "AGENTS.md");
      const file = {
        ...aFile({ path: "AGENTS.md", content: "# Old\n\nNew.\n" }),
        replaces: before?.sha ?? "",
      };
      const { commit } = await add(file);
      expect(await add(file)).toEqual({ commit });
      const { number } = await github.openPullRequest(repository, pullOf(file.branch));
      expect(await github.pullRequestFiles(repository, number)).toEqual(["AGENTS.md"]);
    });

    it("is not made from a text that has changed since, and is tried again", async () => {
      await made().putFile("NEWS.md", "# Newer\n");
      const file = { ...aFile({ path: "NEWS.md" }), replaces: "0".repeat(40) };
      await expect(add(file)).rejects.toMatchObject({ code: "conflict", consequence: "retry" });
      await expect(add({ ...file, path: "none.md" })).rejects.toMatchObject({ consequence: "retry" });
    });
  });

  it("reads the files of the default branch that are there, and says nothing of the others", async () => {
    const { github, repository } = made();
    await made().putFile("Makefile", "test:\n\ttrue\n");
    await made().putFile("deep/down/a.txt", "Größe\n");
    await made().putFile("large.txt", "x".repeat(70_000));
    const paths = ["Makefile", "deep/down/a.txt", "deep", "large.txt", "none.txt"];
    const found = await github.filesOf(repository, paths);
    expect([...found]).toEqual([
      ["Makefile", "test:\n\ttrue\n"],
      ["deep/down/a.txt", "Größe\n"],
    ]);
  });
}
