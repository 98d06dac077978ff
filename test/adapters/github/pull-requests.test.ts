import { describe, expect, it } from "vitest";
import { createSignedMarker } from "../../../src/adapters/github/app/signed-marker.ts";
import { mockHttp } from "../../http-mock.ts";
import { PERSON, pullAnswer } from "./answers.ts";
import {
  BASE,
  mintsToken,
  mockedGitHub,
  ORIGIN,
  REPOSITORY,
  stoppedClock,
  tellsIdentity,
} from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

describe("opening a pull request", () => {
  const wanted = {
    key: "pr:3",
    title: "Change",
    body: "Text",
    head: "flotilla/docs-dev/issue-3",
    base: "main",
    draft: false,
  };
  const filter = { state: "all", head: "octo:flotilla/docs-dev/issue-3", page: 1, per_page: 100 };
  const exists = {
    message: "Validation Failed",
    errors: [{ message: "A pull request already exists for octo:x." }],
  };

  it("adopts one that appeared between the look and the try", async () => {
    const { scope, github } = ready();
    tellsIdentity(scope);
    scope.get(`${REPO}/pulls`).query(filter).reply(200, []);
    scope.post(`${REPO}/pulls`).reply(422, exists);
    scope
      .get(`${REPO}/pulls`)
      .query(filter)
      .reply(200, [pullAnswer(8)]);
    expect(await github.openPullRequest(REPOSITORY, wanted)).toMatchObject({ number: 8 });
  });

  it("waits for one that GitHub knows of and does not show yet", async () => {
    const { scope, github } = ready();
    tellsIdentity(scope);
    scope.get(`${REPO}/pulls`).twice().query(filter).reply(200, []);
    scope.post(`${REPO}/pulls`).reply(422, exists);
    await expect(github.openPullRequest(REPOSITORY, wanted)).rejects.toMatchObject({
      code: "unseen",
      consequence: "retry",
    });
  });

  it("fails as GitHub said when the branch is unknown", async () => {
    const { scope, github } = ready();
    tellsIdentity(scope);
    scope.get(`${REPO}/pulls`).query(filter).reply(200, []);
    const errors = [{ resource: "PullRequest", field: "head", code: "invalid" }];
    scope.post(`${REPO}/pulls`).reply(422, { message: "Validation Failed", errors });
    await expect(github.openPullRequest(REPOSITORY, wanted)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("head invalid"),
    });
  });

  it("adopts what an earlier try under the same key made, even when it was merged since", async () => {
    const { scope, github } = ready();
    tellsIdentity(scope);
    const body = createSignedMarker("secret of the markers").sign(REPOSITORY.id, "pr:3", "Text");
    const merged = pullAnswer(8, { state: "closed", merged_at: "2026-01-01T11:00:00Z", body });
    scope.get(`${REPO}/pulls`).query(filter).reply(200, [merged]);
    expect(await github.openPullRequest(REPOSITORY, wanted)).toMatchObject({ number: 8, merged: true });
  });

  it("does not take one into another base for it", async () => {
    const { scope, github } = ready();
    tellsIdentity(scope);
    scope
      .get(`${REPO}/pulls`)
      .query(filter)
      .reply(200, [pullAnswer(8, { base: { ref: "release" } })]);
    scope.post(`${REPO}/pulls`).reply(201, pullAnswer(9));
    expect(await github.openPullRequest(REPOSITORY, wanted)).toMatchObject({ number: 9 });
  });

  it("never takes over a person's pull request of the same branches", async () => {
    const { scope, github } = ready();
    tellsIdentity(scope);
    scope
      .get(`${REPO}/pulls`)
      .query(filter)
      .reply(200, [pullAnswer(8, { user: PERSON })]);
    await expect(github.openPullRequest(REPOSITORY, wanted)).rejects.toMatchObject({
      code: "conflict",
      consequence: "tell",
      message: expect.stringContaining("octocat"),
    });
  });
});
