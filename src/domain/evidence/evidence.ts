import type { RoleEvidence } from "../agents/role.ts";
import type { Missing } from "./missing.ts";
import { protectedFiles } from "./protected-paths.ts";

/** The agent's pull request, as GitHub has it now. */
export interface PullFacts {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly merged: boolean;
  /** True when our App opened it. */
  readonly own: boolean;
  readonly author: string;
  /** With the owner of the other repository before it where the branch is not in this one. */
  readonly branch: string;
  readonly base: string;
  readonly namesIssue: boolean;
}

/** What the host found out about a claim of completion, without running anything. */
export interface EvidenceFacts {
  readonly kind: RoleEvidence;
  readonly issue: number;
  /** Paths with uncommitted changes. */
  readonly uncommitted: readonly string[];
  /** Files that differ between the claimed commit and its merge base. */
  readonly changedFiles: readonly string[];
  /** Those that a person has allowed the agent to change. */
  readonly allowedPaths: ReadonlySet<string>;
  readonly protectedPaths: readonly string[];
  /** The claimed commit, the worktree's head now, the branch's head on the server. */
  readonly claimedCommit: string | null;
  readonly headCommit: string | null;
  readonly serverCommit: string | null;
  /** The server's commit lies in the history of the claimed one. */
  readonly serverBehind: boolean;
  readonly branch: string | null;
  /** The base branch of the work. */
  readonly base: string;
  /** The level lets no work out, so the server's branch does not matter. */
  readonly keptHere: boolean;
  /** The role can open pull requests. */
  readonly makesPull: boolean;
  readonly pull: PullFacts | null;
  /** The commit of its verdict, null without one; and the head of the pull request that it reviews. */
  readonly verdict: string | null;
  readonly judgedHead: string | null;
  /** Number of writes to GitHub in this attempt. */
  readonly outputs: number;
  /** Numbers of the sub-issues that the agent opened, and that stay drafts until it ends that. */
  readonly drafts: readonly number[];
  readonly summary: string;
}

/** Returns what is missing; empty when the claim holds as far as can be seen without running anything. */
export function missingEvidence(facts: EvidenceFacts): readonly Missing[] {
  switch (facts.kind) {
    case "none":
      return [];
    case "outputs":
      return missingOutputs(facts);
    case "verdict":
      return missingVerdict(facts);
    case "code":
      // A person merged the work as it is, and the branch may be deleted.
      if (facts.pull?.own === true && facts.pull.merged) return [];
      return [...missingWork(facts), ...missingPull(facts)];
  }
}

function missingOutputs({ outputs, summary, drafts }: EvidenceFacts): Missing[] {
  if (drafts.length > 0) return [{ kind: "parts_are_drafts", issues: [...drafts] }];
  return outputs > 0 || summary.trim() !== "" ? [] : [{ kind: "no_output" }];
}

function missingVerdict({ verdict, judgedHead }: EvidenceFacts): Missing[] {
  if (verdict === null || judgedHead === null) return [{ kind: "verdict_missing" }];
  return verdict === judgedHead ? [] : [{ kind: "verdict_stale", commit: verdict, head: judgedHead }];
}

function missingWork(facts: EvidenceFacts): Missing[] {
  const found: Missing[] = [];
  const { claimedCommit: claimed, headCommit: head, serverCommit: server } = facts;
  if (facts.uncommitted.length > 0) found.push({ kind: "uncommitted", paths: [...facts.uncommitted] });
  if (facts.changedFiles.length === 0) found.push({ kind: "empty_diff" });
  if (claimed !== head || claimed === null) found.push({ kind: "head_moved", claimed, head });
  else if (!facts.keptHere && server !== claimed && facts.changedFiles.length > 0)
    found.push(
      server === null || facts.serverBehind
        ? { kind: "not_pushed" }
        : { kind: "branch_moved", claimed, server },
    );
  const touched = protectedFiles(facts.changedFiles, facts.protectedPaths).filter(
    (path) => !facts.allowedPaths.has(path),
  );
  if (touched.length > 0) found.push({ kind: "protected_paths", paths: [...touched] });
  return found;
}

function missingPull(facts: EvidenceFacts): Missing[] {
  const { pull } = facts;
  if (!facts.makesPull || facts.keptHere) return [];
  if (pull === null) return [{ kind: "pull_missing" }];
  const { number } = pull;
  if (!pull.own) return [{ kind: "pull_foreign", pull: number, author: pull.author }];
  if (pull.state === "closed") return [{ kind: "pull_closed", pull: number }];
  const found: Missing[] = [];
  if (pull.branch !== facts.branch)
    found.push({ kind: "pull_other_branch", pull: number, branch: pull.branch });
  if (pull.base !== facts.base)
    found.push({ kind: "pull_other_base", pull: number, base: pull.base, expected: facts.base });
  if (!pull.namesIssue) found.push({ kind: "pull_unlinked", pull: number, issue: facts.issue });
  return found;
}
