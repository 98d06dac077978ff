import { describe, expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { issueAnswer } from "./answers.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

const DEPENDENCIES = `${REPO}/issues/3/dependencies/blocked_by`;

describe("reading what an issue waits for", () => {
  it("tells the repository of each, by the address that GitHub gives of it", async () => {
    const { scope, github } = ready();
    const elsewhere = { repository_url: "https://github.test/api/v3/repos/octo/lib", state: "closed" };
    scope
      .get(DEPENDENCIES)
      .query(true)
      .reply(200, [issueAnswer(2), issueAnswer(2, elsewhere)]);
    expect(await github.blockedBy(REPOSITORY, 3)).toEqual([
      { repository: "octo/shop", number: 2, state: "open" },
      { repository: "octo/lib", number: 2, state: "closed" },
    ]);
  });

  it("reads on past a full page", async () => {
    const { scope, github } = ready();
    const page = Array.from({ length: 100 }, (_, index) => issueAnswer(index + 10));
    scope
      .get(DEPENDENCIES)
      .query(({ page: wanted }) => wanted === "1")
      .reply(200, page);
    scope
      .get(DEPENDENCIES)
      .query(({ page: wanted }) => wanted === "2")
      .reply(200, [issueAnswer(9)]);
    expect(await github.blockedBy(REPOSITORY, 3)).toHaveLength(101);
  });

  it.each([404, 405, 410])(
    "is unsupported when the server answers %i though the issue exists",
    async (status) => {
      const { scope, github } = ready();
      scope.get(DEPENDENCIES).query(true).reply(status, { message: "Not Found" });
      scope.get(`${REPO}/issues/3`).reply(200, issueAnswer(3));
      await expect(github.blockedBy(REPOSITORY, 3)).rejects.toMatchObject({ code: "unsupported" });
    },
  );

  it("fails as the server does", async () => {
    const { scope, github } = ready();
    scope.get(DEPENDENCIES).query(true).reply(500, {});
    await expect(github.blockedBy(REPOSITORY, 3)).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("reading the parent of an issue", () => {
  it("fails as the server does", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/3/parent`).reply(500, {});
    await expect(github.parentOf(REPOSITORY, 3)).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("recording what an issue waits for", () => {
  it.each([404, 405, 410])(
    "is unsupported when the server answers %i though the issue exists",
    async (status) => {
      const { scope, github } = ready();
      scope.get(`${REPO}/issues/2`).reply(200, issueAnswer(2));
      scope.post(DEPENDENCIES, { issue_id: 1002 }).reply(status, { message: "Not Found" });
      scope.get(`${REPO}/issues/3`).reply(200, issueAnswer(3));
      await expect(github.addBlockedBy(REPOSITORY, 3, 2)).rejects.toMatchObject({
        code: "unsupported",
        consequence: "stop",
      });
    },
  );

  it("is not found when the issue itself is gone", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/2`).reply(200, issueAnswer(2));
    scope.post(DEPENDENCIES).reply(404, { message: "Not Found" });
    scope.get(`${REPO}/issues/3`).reply(404, { message: "Not Found" });
    await expect(github.addBlockedBy(REPOSITORY, 3, 2)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is done when GitHub refuses it and has it already, and fails when it has not", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/2`).twice().reply(200, issueAnswer(2));
    scope.post(DEPENDENCIES).twice().reply(422, { message: "Validation Failed" });
    scope
      .get(DEPENDENCIES)
      .query(true)
      .reply(200, [issueAnswer(2)]);
    await github.addBlockedBy(REPOSITORY, 3, 2);
    scope
      .get(DEPENDENCIES)
      .query(true)
      .reply(200, [issueAnswer(9)]);
    await expect(github.addBlockedBy(REPOSITORY, 3, 2)).rejects.toMatchObject({ code: "invalid" });
  });
});
