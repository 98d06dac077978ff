import { type AgentRecord, isOnPull } from "../agents/agent-record.ts";
import { moment } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import type { KeptSetup } from "../ports/kept-setups.ts";
import type { TreeFile, WorktreeStatus } from "../ports/worktrees.ts";
import type { Settings } from "../settings/settings.ts";
import { LOCK_FILES, setupFacts } from "./setup.ts";

/** Manifests and settings of package managers, by which they install what a lock file names. */
const MANIFESTS = [
  "package.json",
  "npm-shrinkwrap.json",
  "pnpm-workspace.yaml",
  "bun.lock",
  "bun.lockb",
  "bunfig.toml",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".nvmrc",
  ".node-version",
  ".tool-versions",
  "pyproject.toml",
  "Pipfile",
  "Pipfile.lock",
  "requirements*.txt",
  "constraints*.txt",
  "setup.py",
  "setup.cfg",
  "uv.toml",
  ".python-version",
  "Cargo.toml",
  "rust-toolchain",
  "rust-toolchain.toml",
  ".cargo/config.toml",
  "go.mod",
  "go.work",
  "go.work.sum",
  "Gemfile",
  "*.gemspec",
  ".ruby-version",
  "composer.json",
  // What packages are changed by, and the package manager itself, where the repository has them.
  "patches/**",
  ".yarn/**",
];

/** Patterns of the files by which setup commands decide what they install: workspaces have them in any directory. */
export const REUSE_FILES: readonly string[] = [...LOCK_FILES, ...MANIFESTS].map((name) => `**/${name}`);
/** With more of these files in a commit, its setup is not reused: not all of them could be compared. */
export const MOST_REUSE_FILES = 10_000;

/** Returns what must be equal for directories that setup commands made to take the place of running them. */
export function reuseFacts(
  files: readonly TreeFile[],
  {
    setup,
    registries,
    sandbox,
  }: {
    readonly setup: Settings["setup"];
    readonly registries: Settings["registries"];
    readonly sandbox: Pick<Settings["sandbox"], "mode">;
  },
  /** Changes with the programs that the commands find. */
  programs: string,
): readonly unknown[] {
  return [
    files.map(({ path, kind, blob }) => [path, kind, blob]),
    setupFacts(setup),
    registries.map(({ kind, url }) => [kind, url]),
    sandbox.mode,
    programs,
  ];
}

/**
 * Returns why directories of the agent's worktree are not kept for other agents, the rest of a sentence; null where they may
 * be. Nothing that an agent or a stranger's pull request could have written there may ever reach another agent.
 */
export function notKept(
  agent: Pick<AgentRecord, "issue" | "prNumber" | "token" | "turns" | "toolCalls" | "baseCommit">,
  {
    status,
    base,
    trusted,
  }: {
    readonly status: Pick<WorktreeStatus, "exists" | "clean" | "head">;
    /** The branch that the work goes to. */
    readonly base: string;
    /** Branches that hold nothing but work that was merged. */
    readonly trusted: readonly string[];
  },
): string | null {
  if (isOnPull(agent) || !trusted.includes(base)) return "the work does not begin on the base branch";
  if (agent.token > 1 || agent.turns > 0 || agent.toolCalls > 0) return "the agent has worked there";
  if (!status.exists || status.head === null || status.head !== agent.baseCommit)
    return "the work does not begin at a commit of the base branch";
  return status.clean
    ? null
    : "the setup commands change files that git follows, or leave files that it does not ignore";
}

/** Returns what people read as the output of a setup command that did not run. */
export function reusedText(directories: readonly string[], { commit, at }: KeptSetup): string {
  return `Not run: ${listOf(directories)} is reused, as these commands made it on ${moment(at)} at commit ${commit.slice(0, 7)}.`;
}

/** Returns a line below the output of the last setup command. */
export function notKeptText(directories: readonly string[], why: string): string {
  return `Flotilla does not keep ${listOf(directories)} for other agents: ${why}.`;
}

const listOf = (directories: readonly string[]) => directories.map((path) => inlineCode(path)).join(", ");
