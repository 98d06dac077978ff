import { expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { mintsToken, mockedGitHub, NOON, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const HEAD = "a".repeat(40);
const MERGE = "b".repeat(40);
const NOON_TEXT = new Date(NOON).toISOString();

const issue = (more: object) => ({
  number: 3,
  title: "T",
  author: { login: "ada" },
  body: "B",
  createdAt: NOON_TEXT,
  lastEditedAt: null,
  userContentEdits: { nodes: [] },
  comments: { nodes: [] },
  closedByPullRequestsReferences: { nodes: [] },
  timelineItems: { nodes: [] },
  ...more,
});
const pull = (number: number, merged = true) => ({
  number,
  merged,
  createdAt: NOON_TEXT,
  headRefOid: HEAD,
  headRefName: "topic",
  mergeCommit: merged ? { oid: MERGE } : null,
  closingIssuesReferences: { totalCount: 1 },
});

/** Reads issues as GitHub answers them, page by page. */
function read(...answered: readonly (readonly (object | null)[])[]) {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  for (const [index, nodes] of answered.entries()) {
    const pageInfo = { hasNextPage: index < answered.length - 1, endCursor: `c${index}` };
    scope
      .post("/api/graphql", (body: unknown) => {
        const { variables } = Object(body);
        return variables.after === (index === 0 ? null : `c${index - 1}`);
      })
      .reply(200, { data: { repository: { issues: { pageInfo, nodes } } } });
  }
  // At the level at which nothing may be written.
  const github = mockedGitHub(stoppedClock(), undefined, undefined, "observe");
  return Array.fromAsync(github.closedIssues(REPOSITORY));
}

it("reads what GitHub leaves out", async () => {
  const versions = { nodes: [null, { editedAt: NOON_TEXT, diff: null }] };
  const comment = {
    author: null,
    body: "C",
    createdAt: NOON_TEXT,
    lastEditedAt: NOON_TEXT,
    userContentEdits: versions,
  };
  const bare = issue({
    author: null,
    userContentEdits: null,
    comments: { nodes: [null, comment] },
    closedByPullRequestsReferences: null,
    timelineItems: { nodes: [null, { closer: null }, {}] },
  });
  expect(await read([null, bare])).toEqual([
    {
      number: 3,
      title: "T",
      titles: [],
      author: "",
      body: { text: "B", createdAt: NOON, lastEditedAt: null, versions: [] },
      comments: [
        {
          author: "",
          body: { text: "C", createdAt: NOON, lastEditedAt: NOON, versions: [{ at: NOON, text: null }] },
        },
      ],
      pull: null,
    },
  ]);
});

const closers = (...found: readonly object[]) => ({
  timelineItems: { nodes: found.map((closer) => ({ closer })) },
});

it.each([
  ["the last one that closed it", closers(pull(4), pull(5)), 5],
  [
    "that of the commit that closed it",
    closers({ associatedPullRequests: { nodes: [null, pull(6, false), pull(7)] } }),
    7,
  ],
  ["that which GitHub links", { closedByPullRequestsReferences: { nodes: [pull(8, false), pull(9)] } }, 9],
  ["none of those that were not merged", closers(pull(4, false)), undefined],
  ["none for a commit without one", closers({ associatedPullRequests: null }), undefined],
])("takes as the pull request %s", async (_, more, number) => {
  const [found] = await read([issue(more)]);
  expect(found?.pull?.number).toBe(number);
});

it("reads each page once, and asks for the next one by its cursor", async () => {
  const found = await read([issue({ number: 3 })], [issue({ number: 2 })]);
  expect(found.map(({ number }) => number)).toEqual([3, 2]);
});
