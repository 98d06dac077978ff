import { createWorktrees } from "../../../src/adapters/git/worktree/create-worktrees.ts";
import { isolationHere } from "./isolation-here.ts";

/** Run as a process of its own, to be killed: prepares one worktree. Arguments: dataDir, serverUrl, token. */
const [dataDir = "", serverUrl = "", token = ""] = process.argv.slice(2);
const quiet = () => undefined;
const worktrees = createWorktrees({
  dataDir,
  serverUrl,
  token: () => Promise.resolve(token),
  isolation: isolationHere(dataDir),
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
});
await worktrees.prepare(
  {
    repository: { id: 4711, owner: "octo", name: "app", installationId: 1 },
    name: "dev-issue-1",
    branch: "flotilla/dev/issue-1",
  },
  { base: null, reusePushed: false },
);
