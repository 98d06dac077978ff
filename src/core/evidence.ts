import type { RoleEvidence } from "./role.ts";

/** What the host found out about a claim of completion. */
export interface EvidenceFacts {
  readonly kind: RoleEvidence;
  /** Paths with uncommitted changes. */
  readonly uncommitted: readonly string[];
  /** Files that differ between base and head. */
  readonly changedFiles: readonly string[];
  readonly headPushed: boolean;
  /** The branch's head when the claim was made, and now. */
  readonly claimedCommit: string | null;
  readonly headCommit: string | null;
  /** The role can open pull requests. */
  readonly makesPull: boolean;
  readonly pull: {
    readonly number: number;
    readonly state: "open" | "closed";
    readonly namesIssue: boolean;
  } | null;
  /** Things put out on GitHub in this attempt. */
  readonly outputs: number;
  readonly summary: string;
}

/** What is missing, each a sentence for the model; empty when the claim holds. */
export function missingEvidence(facts: EvidenceFacts): readonly string[] {
  switch (facts.kind) {
    case "none":
      return [];
    case "outputs":
      return facts.outputs > 0 || facts.summary.trim() !== ""
        ? []
        : ["Nothing was put out: set a label or comment, or say in the summary why nothing was needed."];
    case "verdict":
      return ["A verdict on the present head is missing."];
    case "code":
      return missingCode(facts);
  }
}

function missingCode(facts: EvidenceFacts): readonly string[] {
  const missing: string[] = [];
  if (facts.uncommitted.length > 0)
    missing.push(
      `These changes are not committed: ${list(facts.uncommitted)}. Use \`commit\`, or \`restore_files\` for what must not stay.`,
    );
  if (facts.changedFiles.length === 0) missing.push("The branch changes nothing against its base.");
  else if (!facts.headPushed) missing.push("The branch's head is not on the server yet. Use `commit` again.");
  if (facts.claimedCommit !== facts.headCommit)
    missing.push(
      `You claimed commit ${facts.claimedCommit ?? "none"}, the branch is at ${facts.headCommit ?? "none"}. Look at it and claim again.`,
    );
  if (facts.makesPull) {
    if (facts.pull === null) missing.push("There is no pull request. Use `open_pr`.");
    else if (facts.pull.state !== "open") missing.push(`Pull request #${facts.pull.number} is not open.`);
    else if (!facts.pull.namesIssue)
      missing.push(`Pull request #${facts.pull.number} does not name the issue.`);
  }
  return missing;
}

function list(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).join(", ");
  return paths.length > 10 ? `${shown} and ${paths.length - 10} more` : shown;
}
