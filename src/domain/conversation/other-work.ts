import { cutHead } from "../messages/format.ts";

/** Characters of a summary that are handed over. */
const MOST_SUMMARY = 1000;

/** What an agent of ours left on an issue, for those who wait for it. */
export interface OtherWork {
  /** Its key, repository first. */
  readonly agent: string;
  readonly role: string;
  /** In its own words; null where it gave none. */
  readonly summary: string | null;
  readonly branch: string | null;
  /** As people write it where the work is read: `#12` or `acme/lib#12`. */
  readonly pull: string | null;
  readonly mergeCommit: string | null;
}

/** The first line is ours; its own words follow, cut. All of it goes to a model between the marks of others' text. */
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

/** The same as it stands in a transition, for programs. */
export function otherWorkJson({ agent, summary, branch, pull, mergeCommit }: OtherWork): {
  readonly agent_id: string;
  readonly output: Readonly<Record<string, string | null>>;
} {
  return { agent_id: agent, output: { summary, branch, pull_request: pull, merge_commit: mergeCommit } };
}
