import { describe, expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;
const TREE = "a".repeat(40);
const MADE = "b".repeat(40);
const COMMIT = { tree: TREE, parents: ["c".repeat(40)], message: "Work" };
const SIGNED = { verified: true, reason: "valid" };
const BRANCH = "flotilla/dev/issue-1";

function scopeOf() {
  const scope = mocks();
  const permissions: unknown[] = [];
  mintsToken(scope, { token: "one", asked: (body) => permissions.push(Object(body).permissions) });
  return { scope, permissions, github: mockedGitHub(stoppedClock()) };
}

describe("a commit that GitHub makes", () => {
  it("names neither author nor committer, since GitHub signs no other, with the token of a push", async () => {
    const { scope, permissions, github } = scopeOf();
    scope
      .post(`${REPO}/git/commits`, { ...COMMIT })
      .reply(201, { sha: MADE, tree: { sha: TREE }, verification: SIGNED });
    expect(await github.makeSignedCommit(REPOSITORY, COMMIT)).toBe(MADE);
    expect(permissions).toEqual([{ metadata: "read", contents: "write" }]);
  });

  it.each([
    ["without a signature", TREE, { verified: false, reason: "unsigned" }, /did not sign .*unsigned/],
    ["with other files", "d".repeat(40), SIGNED, /other files/],
  ])("is refused %s, and a person is told", async (_, tree, verification, message) => {
    const { scope, github } = scopeOf();
    scope.post(`${REPO}/git/commits`).reply(201, { sha: MADE, tree: { sha: tree }, verification });
    await expect(github.makeSignedCommit(REPOSITORY, COMMIT)).rejects.toMatchObject({
      code: "unsupported",
      consequence: "tell",
      message: expect.stringMatching(message),
    });
  });
});

/** GitHub answers so when the branch is moved. */
const moves = (status: number, message?: string) => {
  const made = scopeOf();
  made.scope
    .patch(`${REPO}/git/refs/${encodeURIComponent(`heads/${BRANCH}`)}`, { sha: MADE, force: false })
    .reply(status, message === undefined ? { ref: `refs/heads/${BRANCH}` } : { message });
  return made;
};

describe("a branch", () => {
  it("goes forward, and never by force", async () => {
    expect(await moves(200).github.moveBranch(REPOSITORY, BRANCH, MADE)).toBe(true);
    const refused = moves(422, "Update is not a fast forward");
    expect(await refused.github.moveBranch(REPOSITORY, BRANCH, MADE)).toBe(false);
  });

  it("is created where it is missing, and left where it has just appeared", async () => {
    for (const [status, answer, expected] of [
      [201, { ref: `refs/heads/${BRANCH}` }, true],
      [422, { message: "Reference already exists" }, false],
    ] as const) {
      const { scope, github } = moves(422, "Reference does not exist");
      scope.post(`${REPO}/git/refs`, { ref: `refs/heads/${BRANCH}`, sha: MADE }).reply(status, answer);
      expect(await github.moveBranch(REPOSITORY, BRANCH, MADE)).toBe(expected);
    }
  });

  it("that a rule refuses is an error", async () => {
    const { github } = moves(422, "Repository rule violations found");
    await expect(github.moveBranch(REPOSITORY, BRANCH, MADE)).rejects.toThrow(/rule violations/);
  });
});

it("takes only signed commits where a ruleset of one of the branches says so, as far as the App may read it", async () => {
  const { scope, github } = scopeOf();
  const rules = (branch: string) =>
    scope.get(`${REPO}/rules/branches/${encodeURIComponent(branch)}`).query({ page: 1, per_page: 100 });
  rules("main").reply(200, [{ type: "deletion" }]);
  rules(BRANCH).reply(200, [{ type: "required_signatures" }]);
  rules("next").reply(403, { message: "Resource not accessible by integration" });
  expect(await github.takesOnlySigned(REPOSITORY, ["main", BRANCH])).toBe(true);
  expect(await github.takesOnlySigned(REPOSITORY, ["next"])).toBe(false);
});
