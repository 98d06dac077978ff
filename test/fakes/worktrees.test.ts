import { worktreesContract } from "../contracts/worktrees.ts";
import { FILES } from "../contracts/worktrees-harness.ts";
import { createFakeWorktrees } from "./worktrees.ts";

worktreesContract("The fake", async () => {
  const fake = createFakeWorktrees(FILES);
  return {
    worktrees: fake,
    repository: { id: 4711, owner: "octo", name: "app", installationId: 1 },
    write: async (name, path, text) => fake.write(name, path, text),
    read: async (name, path) => fake.read(name, path),
    serverCommit: async (branch, files) => fake.serverCommit(branch, files),
    serverHead: async (branch) => fake.serverHead(branch),
    loseDirectory: async (name) => fake.loseDirectory(name),
    close: async () => undefined,
  };
});
