import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GitError } from "../../../domain/kernel/errors.ts";
import { createGitHost, type GitHost } from "./git-host.ts";
import { runGit } from "./run-git.ts";

/** Hooks that the commands below would run. */
const HOOKS = ["pre-commit", "post-index-change"];

/** git's version on this machine, and its behaviour under our configuration. */
export interface GitTried {
  /** The version that git prints, such as `2.39.5`. */
  readonly version: string;
  /** The planted programs that ran although our configuration forbids it; empty if git is safe. */
  readonly fired: readonly string[];
}

/**
 * Plants programs in a temporary repository where an agent could plant them (hooks, file-system monitor, signer), runs
 * the usual commands there, and checks which programs ran. Throws `GitError` if git is missing or does not work.
 */
export async function tryGit(): Promise<GitTried> {
  const root = await mkdtemp(join(tmpdir(), "flotilla-try-git-"));
  try {
    const host = createGitHost({
      dataDir: root,
      serverUrl: "https://github.com",
      token: () => Promise.reject(new Error("no server is asked here")),
      // No agent can know this directory.
      isolation: {
        confines: false,
        confine: (command) => Promise.resolve(command),
        whileStill: (work) => work(),
      },
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    const { stdout } = await runGit(host, { args: ["version"], purpose: "ask git for its version" });
    const version = /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim();
    return { version, fired: await fired(host, root).catch((error: unknown) => failedIn(version, error)) };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function fired(host: GitHost, root: string): Promise<readonly string[]> {
  const calls = join(root, "calls");
  const tree = join(root, "tree");
  const gitDir = join(tree, ".git");
  const plant = async (path: string, name: string): Promise<void> => {
    await writeFile(path, `#!/bin/sh\necho ${name} >> '${calls}'\n`);
    await chmod(path, 0o700);
  };
  const git = (...args: string[]) =>
    runGit(host, {
      args: [`--git-dir=${gitDir}`, `--work-tree=${tree}`, ...args],
      purpose: "try git's configuration",
      env: {
        GIT_AUTHOR_NAME: "flotilla",
        GIT_AUTHOR_EMAIL: "",
        GIT_COMMITTER_NAME: "flotilla",
        GIT_COMMITTER_EMAIL: "",
      },
    });
  await mkdir(tree);
  await git("init", "--quiet", "--template=");
  await mkdir(join(gitDir, "hooks"));
  for (const name of HOOKS) await plant(join(gitDir, "hooks", name), name);
  await plant(join(root, "monitor"), "core.fsmonitor");
  await plant(join(root, "signer"), "gpg.program");
  await writeFile(
    join(gitDir, "config"),
    `[core]\n\tbare = false\n\tfsmonitor = ${join(root, "monitor")}\n[gpg]\n\tprogram = ${join(root, "signer")}\n[commit]\n\tgpgSign = true\n`,
  );
  await writeFile(join(tree, "file"), "");
  await git("add", "--all");
  // The commit fails if the signer runs. Only whether it ran matters, not whether git succeeded.
  await git("commit", "--quiet", "--message=tried").catch(ignore);
  await git("status", "--porcelain");
  const ran = await readFile(calls, "utf8").catch(() => "");
  return [...new Set(ran.split("\n").filter((name) => name !== ""))].toSorted();
}

/** Names the version in the error: a git that is too old can fail in ways that say nothing of its age. */
function failedIn(version: string, error: unknown): never {
  if (error instanceof GitError) throw error;
  throw new GitError(
    "unusable",
    `version ${version} cannot create a repository with the options that Flotilla uses`,
    {
      consequence: "stop",
      advice: "See which git is first on PATH, and install git 2.39.5 or newer.",
      cause: error,
    },
  );
}

function ignore(): void {}
