import { z } from "zod";
import type {
  ClosedIssue,
  ClosedIssues,
  ClosingPull,
  EditedText,
} from "../../../domain/ports/closed-issues.ts";
import { readGraph } from "../client/read-graph.ts";
import type { Room } from "../client/room.ts";
import { momentShape } from "../client/shapes.ts";

const PULL =
  "number merged createdAt headRefOid headRefName mergeCommit { oid } closingIssuesReferences(first: 2) { totalCount }";

// A page is as large as GitHub answers in time where issues have many comments.
const CLOSED = `query ClosedIssues($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    issues(first: 20, after: $after, states: [CLOSED], orderBy: { field: CREATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number
        title
        author { login }
        body
        createdAt
        lastEditedAt
        userContentEdits(first: 100) { nodes { editedAt diff } }
        comments(first: 100) {
          nodes {
            author { login }
            body
            createdAt
            lastEditedAt
            userContentEdits(first: 20) { nodes { editedAt diff } }
          }
        }
        closedByPullRequestsReferences(first: 5, includeClosedPrs: true) { nodes { ${PULL} } }
        timelineItems(last: 100, itemTypes: [RENAMED_TITLE_EVENT, CLOSED_EVENT]) {
          nodes {
            __typename
            ... on RenamedTitleEvent { createdAt previousTitle }
            ... on ClosedEvent {
              closer {
                __typename
                ... on PullRequest { ${PULL} }
                ... on Commit { associatedPullRequests(first: 5) { nodes { ${PULL} } } }
              }
            }
          }
        }
      }
    }
  }
}`;

const atShape = momentShape.transform((moment) => Date.parse(moment));
const authorShape = z
  .object({ login: z.string() })
  .nullish()
  .transform((author) => author?.login ?? "");

const textFields = {
  body: z.string(),
  createdAt: atShape,
  // A text without it would pass for one that was never edited.
  lastEditedAt: atShape.nullable(),
  userContentEdits: z
    .object({
      nodes: z.array(z.object({ editedAt: atShape, diff: z.string().nullable() }).nullable()).nullish(),
    })
    .nullish(),
};
const textFieldsShape = z.object(textFields);

const textOf = (raw: z.output<typeof textFieldsShape>): EditedText => ({
  text: raw.body,
  createdAt: raw.createdAt,
  lastEditedAt: raw.lastEditedAt,
  // GitHub calls it a difference, and gives the whole text.
  versions: present(raw.userContentEdits?.nodes).map(({ editedAt, diff }) => ({
    at: editedAt,
    text: diff,
  })),
});

function present<T>(nodes: readonly (T | null)[] | null | undefined): readonly T[] {
  return (nodes ?? []).filter((node) => node !== null);
}

const pullShape = z
  .object({
    number: z.int(),
    merged: z.boolean(),
    createdAt: atShape,
    headRefOid: z.string().min(1),
    headRefName: z.string(),
    mergeCommit: z.object({ oid: z.string().min(1) }).nullable(),
    closingIssuesReferences: z.object({ totalCount: z.int() }).nullish(),
  })
  .transform((raw) => ({
    merged: raw.merged,
    pull: {
      number: raw.number,
      createdAt: raw.createdAt,
      head: raw.headRefOid,
      branch: raw.headRefName,
      merge: raw.mergeCommit?.oid ?? null,
      closes: raw.closingIssuesReferences?.totalCount ?? 0,
    } satisfies ClosingPull,
  }));

const pullsShape = z
  .object({ nodes: z.array(pullShape.nullable()).nullish() })
  .nullish()
  .transform((pulls) => present(pulls?.nodes));

const closerShape = z.union([
  pullShape.transform((pull) => [pull]),
  z
    .object({ associatedPullRequests: pullsShape })
    .transform(({ associatedPullRequests }) => associatedPullRequests),
]);

const itemShape = z.union([
  z
    .object({ createdAt: atShape, previousTitle: z.string() })
    .transform(({ createdAt, previousTitle }) => ({ until: createdAt, title: previousTitle })),
  z.object({ closer: closerShape.nullish() }).transform(({ closer }) => ({ closedBy: closer ?? [] })),
]);

const issueShape = z
  .object({
    number: z.int(),
    title: z.string(),
    author: authorShape,
    ...textFields,
    comments: z.object({
      nodes: z.array(z.object({ author: authorShape, ...textFields }).nullable()).nullish(),
    }),
    closedByPullRequestsReferences: pullsShape,
    timelineItems: z.object({ nodes: z.array(itemShape.nullable()).nullish() }),
  })
  .transform(({ number, title, author, comments, ...raw }): ClosedIssue => {
    const items = present(raw.timelineItems.nodes);
    // The last time that it was closed counts. Where a person closed it, GitHub may still know what solved it.
    const closed = items.findLast((item) => "closedBy" in item)?.closedBy ?? [];
    const solved = [...closed, ...raw.closedByPullRequestsReferences].find(({ merged }) => merged);
    return {
      number,
      title,
      titles: items.filter((item) => "until" in item),
      author,
      body: textOf(raw),
      comments: present(comments.nodes).map((one) => ({ author: one.author, body: textOf(one) })),
      pull: solved?.pull ?? null,
    };
  });

const pageShape = z.object({
  repository: z.object({
    issues: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
      nodes: z.array(issueShape.nullable()).nullish(),
    }),
  }),
});

/** Creates the reads of closed issues with their history, which only GraphQL has. */
export function createClosedIssues({ on, clock }: Pick<Room, "on" | "clock">): ClosedIssues {
  return {
    async *closedIssues(repository) {
      const { owner, name } = repository;
      for (let after: string | null = null; ; ) {
        const asked = on(repository).graphql(CLOSED, { owner, name, after });
        const { issues } = (await readGraph(asked, pageShape, clock.now())).repository;
        yield* present(issues.nodes);
        const { hasNextPage, endCursor } = issues.pageInfo;
        if (!hasNextPage || endCursor === null || endCursor === undefined || endCursor === after) return;
        after = endCursor;
      }
    },
  };
}
