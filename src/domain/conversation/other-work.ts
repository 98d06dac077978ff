import { cutHead } from "../messages/format.ts";

/** Characters of a summary that are passed on. */
const MOST_SUMMARY = 1000;

/** What one of our agents left on an issue, for agents that wait for that issue. */
export interface OtherWork {
  /** Its key, with the repository. */
  readonly agent: string;
  readonly role: string;
  /** In its own words; null where it gave none. */
  readonly summary: string | null;
  readonly branch: string | null;
  /** As people write it where the work is read: `#12` or `acme/lib#12`. */
  readonly pull: string | null;
  readonly mergeCommit: string | null;
}

/**
 * Returns our line about the work, then the agent's own summary, cut. The model gets all of it marked as untrusted
 * text.
 */
export function otherWorkText({ agent, role, summary, branch, pull, mergeCommit }: OtherWork): string {
  const merged = mergeCommit === null ? "not merged" : `merged as ${mergeCommit}`;
  const facts = [
    ...(branch === null ? [] : [`branch ${branch}`]),
    ...(pull === null ? [] : [`pull request ${pull}, ${merged}`]),
  ];
  const left = facts.length === 0 ? "" : `: ${facts.join(", ")}`;
  const said =
    summary === null || summary.trim() === ""
      ? []
      : [
          "It says of its work:",
          ...cutHead(summary.trim(), MOST_SUMMARY)
            .split("\n")
            .map((line) => `> ${line}`),
        ];
  return [`${agent} (${role}) worked on it${left}.`, ...said].join("\n");
}

/** Returns the same data as a transition stores it, for programs. */
export function otherWorkJson({ agent, summary, branch, pull, mergeCommit }: OtherWork): {
  readonly agent_id: string;
  readonly output: Readonly<Record<string, string | null>>;
} {
  return { agent_id: agent, output: { summary, branch, pull_request: pull, merge_commit: mergeCommit } };
}
