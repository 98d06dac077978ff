import { join } from "node:path";
import { plainGit } from "../plain-git.ts";
import { bareAt, configure, put, repositoryAt, type Vector } from "./vector.ts";

export const inPlaceOfGitFile: Vector = {
  name: "a repository in place of the worktree's .git file",
  plant: async (ground) => repositoryAt(ground.directory, ground),
  control: () => ["status"],
};

export const nested: Vector = {
  name: "a nested repository in the index",
  plant: async (ground) => {
    await repositoryAt(join(ground.directory, "nested"), ground);
    await plainGit(ground.directory, ["add", "nested"], false);
    await put(join(ground.directory, "nested", "file"), "x");
  },
  control: () => ["status"],
};

export const bareWithin: Vector = {
  name: "a bare repository among the files",
  plant: async (ground) => {
    const bare = join(ground.directory, "bare");
    await bareAt(bare);
    const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${ground.directory}\n\tfsmonitor = "${ground.fire} #"\n`;
    await put(join(bare, "config"), config);
  },
  control: () => ["-C", "bare", "status"],
};

export const otherWorkTree: Vector = {
  name: "core.worktree elsewhere, with files for a filter",
  plant: async (ground) => {
    const elsewhere = join(ground.outside, "elsewhere");
    await put(join(elsewhere, ".gitattributes"), "* filter=elsewhere\n");
    await put(join(elsewhere, "file.txt"), "outside\n");
    await configure(
      ground,
      ["extensions", "worktreeConfig = true"],
      ['filter "elsewhere"', `clean = "${ground.fire}; cat"`],
    );
    const config = `[core]\n\tbare = false\n\tworktree = ${elsewhere}\n`;
    await put(join(ground.entry, "config.worktree"), config);
  },
  control: () => ["add", "--all"],
};
