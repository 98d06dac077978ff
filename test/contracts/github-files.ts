import { expect, it } from "vitest";
import type { GitHubWorld } from "./github-world.ts";

/** Files on the default branch. */
export function fileContract(made: () => GitHubWorld): void {
  it("lists a directory of the default branch with what each entry is, and reads a file of it", async () => {
    const { github, repository } = made();
    await made().putFile(".github/flotilla.yml", "review: {}\n");
    await made().putFile(".github/flotilla/roles/fix.md", "Fix ä.\n");
    const entries = await github.directory(repository, ".github");
    const file = entries?.find(({ name }) => name === "flotilla.yml");
    expect(file).toEqual({ name: "flotilla.yml", type: "file", sha: expect.any(String), bytes: 11 });
    expect(entries?.find(({ name }) => name === "flotilla")).toMatchObject({ type: "dir" });
    expect(await github.file(repository, ".github/flotilla.yml")).toEqual({
      sha: file?.sha,
      text: "review: {}\n",
    });
    expect((await github.file(repository, ".github/flotilla/roles/fix.md"))?.text).toBe("Fix ä.\n");
  });

  it("lists the top of the default branch", async () => {
    const { github, repository } = made();
    await made().putFile("go.mod", "module a\n");
    await made().putFile("docs/index.md", "# A\n");
    const entries = await github.directory(repository, "");
    expect(entries).toContainEqual({ name: "go.mod", type: "file", sha: expect.any(String), bytes: 9 });
    expect(entries?.find(({ name }) => name === "docs")).toMatchObject({ type: "dir" });
  });

  it("tells by an entry that its content has changed", async () => {
    const { github, repository } = made();
    const shas = async () =>
      Object.fromEntries(
        ((await github.directory(repository, ".github")) ?? []).map(({ name, sha }) => [name, sha]),
      );
    await made().putFile(".github/flotilla.yml", "merge: {}\n");
    await made().putFile(".github/flotilla/roles/other.md", "One.\n");
    const before = await shas();
    await made().putFile(".github/flotilla/roles/other.md", "Two.\n");
    const after = await shas();
    expect(after["flotilla.yml"]).toBe(before["flotilla.yml"]);
    expect(after["flotilla"]).not.toBe(before["flotilla"]);
  });

  it("has no directory and no file where there is none, or something else is", async () => {
    const { github, repository } = made();
    await made().putFile(".github/flotilla.yml", "roles: {}\n");
    expect(await github.directory(repository, "no/such")).toBeNull();
    expect(await github.directory(repository, ".github/flotilla.yml")).toBeNull();
    expect(await github.file(repository, "no/such.yml")).toBeNull();
    expect(await github.file(repository, ".github")).toBeNull();
  });
}
