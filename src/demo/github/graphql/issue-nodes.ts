import { closingWords } from "../acts/closing-words.ts";
import { asPull } from "../acts/emit.ts";
import type { Account, Comment, Issue, PullRequest, Repository, TextVersion } from "../world/records.ts";
import { fullNameOf } from "../world/world.ts";
import type { GraphNode } from "./select.ts";

type Args = Readonly<Record<string, unknown>>;

/** Returns issues, not pull requests, in the wanted states, the newest first, which is the only order here. */
export function issueConnection(repository: Repository, { first, after, states }: Args): GraphNode {
  const all = [...repository.issues.values()]
    .filter(
      ({ pull, state }) => pull === null && (!Array.isArray(states) || states.includes(state.toUpperCase())),
    )
    .toSorted((one, other) => other.number - one.number);
  const begin = typeof after === "string" ? Number(after) : 0;
  const end = begin + Number(first);
  return {
    __typename: "IssueConnection",
    pageInfo: {
      __typename: "PageInfo",
      hasNextPage: end < all.length,
      endCursor: String(Math.min(end, all.length)),
    },
    nodes: all.slice(begin, end).map((issue) => issueNode(repository, issue)),
  };
}

function issueNode(repository: Repository, issue: Issue): GraphNode {
  const pulls = [...repository.issues.values()].flatMap((one) => asPull(one) ?? []);
  return {
    __typename: "Issue",
    number: issue.number,
    title: issue.title,
    ...textFields({ ...issue, body: issue.body ?? "" }),
    comments: ({ first }: Args) => ({
      __typename: "IssueCommentConnection",
      nodes: [...repository.comments.values()]
        .filter(({ issueNumber }) => issueNumber === issue.number)
        .slice(0, Number(first))
        .map((comment) => ({ __typename: "IssueComment", ...textFields(comment) })),
    }),
    closedByPullRequestsReferences: ({ includeClosedPrs }: Args) => ({
      __typename: "PullRequestConnection",
      nodes: pulls
        .filter((pull) => closesOf(repository, pull).includes(issue.number))
        .filter(({ state }) => state === "open" || includeClosedPrs === true)
        .map((pull) => solvingNode(repository, pull)),
    }),
    timelineItems: (args: Args) => ({
      __typename: "IssueTimelineItemsConnection",
      nodes: issue.events.flatMap((event): readonly GraphNode[] => {
        if (event.event === "renamed" && wants(args, "RENAMED_TITLE_EVENT")) {
          const { from, to } = Object(event.fields["rename"]);
          return [
            {
              __typename: "RenamedTitleEvent",
              createdAt: event.createdAt,
              previousTitle: from,
              currentTitle: to,
            },
          ];
        }
        if (event.event !== "closed" || !wants(args, "CLOSED_EVENT")) return [];
        const closer = pulls.find(({ number }) => number === issue.closedByPull);
        const isLast = issue.events.findLast((one) => one.event === "closed") === event;
        return [
          {
            __typename: "ClosedEvent",
            createdAt: event.createdAt,
            closer: isLast && closer !== undefined ? solvingNode(repository, closer) : null,
          },
        ];
      }),
    }),
  };
}

const wants = ({ itemTypes }: Args, type: string): boolean =>
  Array.isArray(itemTypes) && itemTypes.includes(type);

/** A pull request as what closes issues. */
function solvingNode(repository: Repository, issue: PullRequest): GraphNode {
  const { pull } = issue;
  return {
    __typename: "PullRequest",
    number: issue.number,
    merged: pull.mergedAt !== null,
    createdAt: issue.createdAt,
    headRefOid: pull.headSha,
    headRefName: pull.headRef,
    mergeCommit: pull.mergeCommitSha === null ? null : { __typename: "Commit", oid: pull.mergeCommitSha },
    closingIssuesReferences: () => ({
      __typename: "IssueConnection",
      totalCount: closesOf(repository, issue).length,
    }),
  };
}

/** GitHub links only issues that are there, and only for the default branch. */
function closesOf(repository: Repository, { body, pull }: PullRequest): readonly number[] {
  if (pull.baseRef !== repository.defaultBranch) return [];
  return closingWords(body ?? "", fullNameOf(repository)).filter(
    (number) => repository.issues.get(number)?.pull === null,
  );
}

function textFields(written: {
  readonly body: string;
  readonly author: Account;
  readonly createdAt: string;
  readonly versions: Comment["versions"];
}): GraphNode {
  const { body, author, createdAt, versions } = written;
  return {
    author: { __typename: author.type, login: author.login.replace(/\[bot\]$/, "") },
    body,
    createdAt,
    lastEditedAt: versions.at(-1)?.at ?? null,
    userContentEdits: ({ first }: Args) => ({
      __typename: "UserContentEditConnection",
      nodes: versions.toReversed().slice(0, Number(first)).map(editNode),
    }),
  };
}

/** GitHub gives the whole text, although it calls it a difference. */
const editNode = ({ at, text }: TextVersion): GraphNode => ({
  __typename: "UserContentEdit",
  editedAt: at,
  diff: text,
});
