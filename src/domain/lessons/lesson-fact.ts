import { howItEnded } from "../conversation/command-failure.ts";
import type { EvidenceRow } from "../kernel/rows.ts";
import { shortCommit } from "../messages/commit-link.ts";
import { inlineCode } from "../messages/inline-code.ts";
import { visibleText } from "../messages/visible-text.ts";
import type { CommitCheck, GitHubComment, GitHubReviewComment } from "../ports/github.ts";
import type { VerdictRow } from "../review/verdict.ts";
import { notStarted } from "../services/start-as-command.ts";

/** Something that happened in the work, which a lesson can cite. */
export interface LessonFact {
  /** The name by which a lesson cites it, such as `command-12`; it stays the same. */
  readonly id: string;
  /** host = Flotilla or GitHub saw it themselves; agent, person = somebody's words about the work. */
  readonly by: "host" | "agent" | "person";
  /** What happened, as Markdown without a stop; names nobody so that they are told. */
  readonly words: string;
  /** The text itself, such as the output of the command; empty where there is none. */
  readonly said: string;
  /** Where it stands on GitHub; null where only Flotilla has seen it. */
  readonly url: string | null;
}

export interface Happened {
  /** The address of the repository on GitHub. */
  readonly repository: string;
  readonly issue: number;
  readonly pull: number | null;
  readonly mergeCommit: string | null;
  readonly verdicts: readonly VerdictRow[];
  /** Those of the coders, oldest first. */
  readonly evidence: readonly EvidenceRow[];
  readonly checks: readonly { readonly commit: string; readonly check: CommitCheck }[];
  /** On the issue or the pull request, by people with permission only. */
  readonly comments: readonly GitHubComment[];
  readonly remarks: readonly GitHubReviewComment[];
}

/** Facts of one kind that a retrospective reads, the latest. */
const MOST = 12;

/** Returns what can be cited, oldest first within each kind. */
export function factsOf(happened: Happened): readonly LessonFact[] {
  const { verdicts, evidence, checks, comments, remarks, mergeCommit, repository } = happened;
  return [
    ...evidence.flatMap(ofCommand).slice(-MOST),
    ...checks.flatMap(ofCheck(repository)).slice(-MOST),
    ...verdicts.flatMap(ofVerdict(happened)).slice(-MOST),
    ...comments.flatMap(ofComment).slice(-MOST),
    ...remarks.flatMap(ofRemark).slice(-MOST),
    ...(mergeCommit === null ? [] : [ofMerge(repository, mergeCommit)]),
  ];
}

/** Returns whether there may be something to learn: a merge that nobody and nothing objected to teaches nothing. */
export function mayTeach(facts: readonly LessonFact[]): boolean {
  return facts.some(({ id }) => !id.startsWith("merge-"));
}

function ofCommand(row: EvidenceRow): LessonFact[] {
  const { id, kind, command, commit, holds, output } = row;
  if (holds || command === null || (kind !== "setup" && kind !== "command")) return [];
  if (notStarted(command) !== null) return [];
  const where = commit === null ? "" : ` on commit ${shortCommit(commit)}`;
  const what = kind === "setup" ? "the setup command" : "the acceptance command";
  return [
    {
      id: `command-${id}`,
      by: "host",
      words: `Flotilla ran ${what} ${inlineCode(command)}${where}: ${howItEnded(row)}`,
      said: output.trim(),
      url: null,
    },
  ];
}

const ofCheck =
  (repository: string) =>
  ({ commit, check }: Happened["checks"][number]): LessonFact[] =>
    check.state === "red"
      ? [
          {
            id: `check-${shortCommit(commit)}-${check.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
            by: "host",
            words: `the check ${inlineCode(check.name)} failed on commit ${shortCommit(commit)} (${inlineCode(check.conclusion)})`,
            said: check.output?.trim() ?? "",
            url: `${repository}/commit/${commit}/checks`,
          },
        ]
      : [];

const ofVerdict =
  ({ repository, issue, pull }: Happened) =>
  ({ id, agentId, reviewer, approves, commit, body, comments }: VerdictRow): LessonFact[] => {
    const said = [body, ...comments.map((one) => `${one.path}:${one.line ?? ""} ${one.body}`)]
      .join("\n")
      .trim();
    if (approves) return [];
    const who = agentId === null ? inlineCode(`@${reviewer}`) : `the agent ${inlineCode(reviewer)}`;
    const asked = agentId === null ? "requested changes of" : "rejected";
    return [
      {
        id: `verdict-${id}`,
        by: agentId === null ? "person" : "agent",
        words: `${who} ${asked} commit ${shortCommit(commit)}`,
        said,
        url: pull === null ? `${repository}/issues/${issue}` : `${repository}/pull/${pull}`,
      },
    ];
  };

function ofComment({ id, author, body, url }: GitHubComment): LessonFact[] {
  const said = visibleText(body).trim();
  // A command steers an agent, and is no reason for anything.
  if (said === "" || said.startsWith("/")) return [];
  return [
    { id: `comment-${id}`, by: "person", words: `${inlineCode(`@${author.login}`)} commented`, said, url },
  ];
}

function ofRemark({ id, author, body, url, path, line }: GitHubReviewComment): LessonFact[] {
  const said = visibleText(body).trim();
  if (said === "") return [];
  const where = inlineCode(line === null ? path : `${path}:${line}`);
  return [
    {
      id: `remark-${id}`,
      by: "person",
      words: `${inlineCode(`@${author.login}`)} remarked on ${where}`,
      said,
      url,
    },
  ];
}

const ofMerge = (repository: string, commit: string): LessonFact => ({
  id: `merge-${shortCommit(commit)}`,
  by: "host",
  words: `commit ${shortCommit(commit)} was merged`,
  said: "",
  url: `${repository}/commit/${commit}`,
});
