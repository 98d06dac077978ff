import { expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const WANTED = {
  branch: "flotilla/configure",
  base: "main",
  path: ".github/flotilla.yml",
  content: "{}",
  message: "m",
};

it("a repository without a commit is told as that, with what to do, and not tried again", async () => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope
    .get(`${BASE}/repos/octo/shop/commits/heads%2Fmain`)
    .reply(409, { message: "Git Repository is empty." });
  const added = mockedGitHub(stoppedClock()).addFileOnBranch(REPOSITORY, WANTED);
  await expect(added).rejects.toMatchObject({
    message: "octo/shop is empty: it has no commit yet",
    consequence: "tell",
    advice: expect.stringContaining("Push a first commit"),
  });
});
