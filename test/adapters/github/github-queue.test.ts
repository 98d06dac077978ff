import { expect, it } from "vitest";
import { graphqlUrl } from "../../../src/adapters/github/client/graphql-url.ts";
import { mockHttp } from "../../http-mock.ts";
import { mintsToken, mockedGitHub, NOON, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const HEAD = "a".repeat(40);
const pull = (isInMergeQueue: boolean, nodes: readonly unknown[] = []) => ({
  data: { repository: { pullRequest: { id: "PR_1", isInMergeQueue, timelineItems: { nodes } } } },
});

/** Answers to GraphQL, in their order; a token is made first. */
function answered(...answers: readonly (object | readonly [object, Record<string, string>])[]) {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  for (const [index, answer] of answers.entries()) {
    if (index === 1) mintsToken(scope, { token: "two" });
    const [body, headers = {}] = Array.isArray(answer) ? answer : [answer];
    scope.post("/api/graphql").reply(200, body, headers);
  }
  return mockedGitHub(stoppedClock());
}

it.each([
  ["https://api.github.com", "https://api.github.com/graphql"],
  ["https://ghe.example.com/api/v3", "https://ghe.example.com/api/graphql"],
  ["https://ghe.example.com/api/v3/", "https://ghe.example.com/api/graphql"],
])("GraphQL of %s is at %s", (base, url) => {
  expect(graphqlUrl(base)).toBe(url);
});

it("reads whether a pull request is in the queue, and how it left it", async () => {
  const left = {
    createdAt: "2026-01-01T11:00:00Z",
    reason: "failed_checks",
    actor: { __typename: "Bot", login: "github-merge-queue" },
    beforeCommit: { oid: HEAD },
  };
  expect(await answered(pull(false, [left])).queuedPull(REPOSITORY, 4)).toEqual({
    isIn: false,
    left: { at: NOON - 3_600_000, reason: "failed_checks", by: "github-merge-queue[bot]", commit: HEAD },
  });
  const bare = { createdAt: "2026-01-01T11:00:00Z", reason: null, actor: null, beforeCommit: null };
  expect(await answered(pull(true, [bare])).queuedPull(REPOSITORY, 4)).toEqual({
    isIn: true,
    left: { at: NOON - 3_600_000, reason: "", by: null, commit: null },
  });
});

const failing = (type: string | undefined, message: string) => ({
  data: null,
  errors: [{ ...(type === undefined ? {} : { type }), message }],
});

it.each([
  ["NOT_FOUND", "not_found", "stop"],
  ["FORBIDDEN", "forbidden", "tell"],
  ["SERVICE_UNAVAILABLE", "unavailable", "retry"],
  ["ELSE", "invalid", "stop"],
])("an error of the type %s is %s", async (type, code, consequence) => {
  await expect(answered(failing(type, "No.")).queuedPull(REPOSITORY, 4)).rejects.toMatchObject({
    code,
    consequence,
    message: "GitHub answered to POST /graphql: No.",
  });
});

it("waits for a limit that GitHub answers with 200", async () => {
  const answer = [failing("RATE_LIMITED", "Too many."), { "retry-after": "60" }] as const;
  await expect(answered(answer).queuedPull(REPOSITORY, 4)).rejects.toMatchObject({
    code: "rate_limited",
    retryAt: NOON + 60_000,
  });
});

it("says in GitHub's words why a pull request is not taken", async () => {
  const github = answered(pull(false), failing("UNPROCESSABLE", "Pull request is in draft"));
  expect(await github.enqueuePull(REPOSITORY, 4, { head: HEAD })).toEqual({
    kind: "refused",
    reason: "Pull request is in draft",
  });
});

it("adds nothing that is in, and takes out nothing that is not", async () => {
  expect(await answered(pull(true)).enqueuePull(REPOSITORY, 4, { head: HEAD })).toEqual({ kind: "queued" });
  await answered(pull(false)).dequeuePull(REPOSITORY, 4);
});

it("reads at each level, and changes the queue only at the level merge", async () => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope.post("/api/graphql").twice().reply(200, pull(false));
  const github = mockedGitHub(stoppedClock(), undefined, undefined, "pr");
  await github.queuedPull(REPOSITORY, 4);
  await expect(github.enqueuePull(REPOSITORY, 4, { head: HEAD })).rejects.toMatchObject({ code: "withheld" });
});
