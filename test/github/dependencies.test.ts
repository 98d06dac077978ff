import { describe, expect, it } from "vitest";
import { mockHttp } from "../http-mock.ts";
import { issueAnswer } from "./answers.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

describe("recording what an issue waits for", () => {
  const DEPENDENCIES = `${REPO}/issues/3/dependencies/blocked_by`;

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
