import { goesAsFarAs, type Level } from "../access/level.ts";
import type { GitHubPullRequest } from "../ports/github-changes.ts";
import { proposalBranch } from "./proposed.ts";

/** What GitHub shows of a repository that may get a proposal. */
export interface ProposalFacts {
  readonly archived: boolean;
  /** The file is on the default branch. */
  readonly file: boolean;
  /** Pull requests from branches of proposals, including those that other accounts opened. */
  readonly pulls: readonly Pick<
    GitHubPullRequest,
    "number" | "url" | "state" | "merged" | "author" | "headRef"
  >[];
}

type Pull = Pick<GitHubPullRequest, "number" | "url">;

/** Whether the file can be proposed, and from which branch, or why not. */
export type ProposalState =
  | { readonly kind: "free"; readonly branch: string }
  | { readonly kind: "archived" }
  | { readonly kind: "there"; readonly merged: Pull | null }
  | { readonly kind: "foreign"; readonly pull: Pull; readonly branch: string }
  | { readonly kind: "open"; readonly pull: Pull }
  | { readonly kind: "level"; readonly level: Level }
  | { readonly kind: "declined"; readonly pull: Pull }
  | { readonly kind: "removed"; readonly pull: Pull };

/** `again`: the operator wants a new proposal after people closed the last one, or removed the merged file. */
export function proposalState(
  facts: ProposalFacts,
  { level, botId, again }: { readonly level: Level; readonly botId: number; readonly again: boolean },
): ProposalState {
  const ours = facts.pulls
    .filter(({ author }) => author.id === botId)
    .toSorted((one, other) => other.number - one.number);
  const open = ours.find(({ state }) => state === "open");
  const merged = ours.find((pull) => pull.merged);
  const branch = proposalBranch(new Set(ours.map(({ headRef }) => headRef)).size + 1);
  const foreign = facts.pulls.find(
    ({ author, state, headRef }) => author.id !== botId && state === "open" && headRef === branch,
  );
  const [last] = ours;
  if (facts.archived) return { kind: "archived" };
  if (facts.file) return { kind: "there", merged: merged ?? null };
  if (open !== undefined) return { kind: "open", pull: open };
  if (last !== undefined && !again) return { kind: last.merged ? "removed" : "declined", pull: last };
  if (!goesAsFarAs(level, "draft")) return { kind: "level", level };
  if (foreign !== undefined) return { kind: "foreign", pull: foreign, branch };
  return { kind: "free", branch };
}
