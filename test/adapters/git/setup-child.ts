import { createWorktrees } from "../../../src/adapters/git/worktree/create-worktrees.ts";
import { isolationHere } from "./isolation-here.ts";

/**
 * Run as a process of its own, to be killed: keeps the setup of the first worktree, or restores it in the second.
 * Arguments: dataDir, keep or restore, the key, the directories.
 */
const [dataDir = "", act = "", key = "", ...directories] = process.argv.slice(2);
const quiet = () => undefined;
const worktrees = createWorktrees({
  dataDir,
  serverUrl: "http://localhost:1",
  token: () => Promise.resolve(""),
  isolation: isolationHere(dataDir),
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
});
const refOf = (name: string) => ({
  repository: { id: 4711, owner: "octo", name: "app", installationId: 1 },
  name,
  branch: name.replace("dev-", "flotilla/dev/"),
});
const made = { key, directories };
if (act === "keep")
  await worktrees.keepSetup(refOf("dev-issue-1"), {
    ...made,
    commit: "c".repeat(40),
    at: 1,
    room: 1024 ** 3,
  });
else await worktrees.restoreSetup(refOf("dev-issue-2"), { ...made, into: "worktree", at: 1 });
