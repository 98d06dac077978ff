import { describe, expect, it } from "vitest";
import { createSignedMarker } from "../../../src/adapters/github/app/signed-marker.ts";
import { mockHttp } from "../../http-mock.ts";
import { commentAnswer, PERSON } from "./answers.ts";
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
const signedMarker = createSignedMarker("secret of the markers");
const written = signedMarker.sign(REPOSITORY.id, "status:3", "Working on it.");

function ready() {
  const scope = mocks();
  tellsIdentity(scope);
  mintsToken(scope, { token: "one" });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

describe("a comment of ours", () => {
  it("is found on a later page, and the pages after it are not read", async () => {
    const { scope, github } = ready();
    const full = Array.from({ length: 100 }, (_, index) => commentAnswer(index + 1, { user: PERSON }));
    scope.get(`${REPO}/issues/3/comments`).query({ page: 1, per_page: 100 }).reply(200, full);
    const second = [commentAnswer(101, { body: written }), ...full.slice(1)];
    scope.get(`${REPO}/issues/3/comments`).query({ page: 2, per_page: 100 }).reply(200, second);
    scope.patch(`${REPO}/issues/comments/101`).reply(200, commentAnswer(101));
    const put = { key: "status:3", body: "Done.", knownId: undefined };
    expect(await github.putComment(REPOSITORY, 3, put)).toMatchObject({ id: 101 });
  });

  it("whose id is known is edited without a look at the others", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/comments/50`).reply(200, commentAnswer(50, { body: written }));
    scope.patch(`${REPO}/issues/comments/50`).reply(200, commentAnswer(50));
    const put = { key: "status:3", body: "Done.", knownId: 50 };
    expect(await github.putComment(REPOSITORY, 3, put)).toMatchObject({ id: 50 });
  });

  it("is looked for when the known one stands for something else", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/comments/50`).reply(200, commentAnswer(50, { body: written }));
    scope
      .get(`${REPO}/issues/3/comments`)
      .query(true)
      .reply(200, [commentAnswer(50, { body: written })]);
    scope.post(`${REPO}/issues/3/comments`).reply(201, commentAnswer(51));
    const put = { key: "question:3", body: "Which one?", knownId: 50 };
    expect(await github.putComment(REPOSITORY, 3, put)).toMatchObject({ id: 51 });
  });

  it("is looked for when the known one is gone", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/comments/50`).reply(404, { message: "Not Found" });
    scope.get(`${REPO}/issues/3/comments`).query(true).reply(200, []);
    scope.post(`${REPO}/issues/3/comments`).reply(201, commentAnswer(51));
    const put = { key: "status:3", body: "Done.", knownId: 50 };
    expect(await github.putComment(REPOSITORY, 3, put)).toMatchObject({ id: 51 });
  });

  it("is not written when nobody can say whether the known one is there", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/comments/50`).reply(502, "bad gateway");
    const put = { key: "status:3", body: "Done.", knownId: 50 };
    await expect(github.putComment(REPOSITORY, 3, put)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("counts as unchanged when GitHub has changed line ends and the end alone", async () => {
    const { scope, github } = ready();
    const stored = commentAnswer(50, { body: `${written.replaceAll("\n", "\r\n")}\r\n` });
    scope.get(`${REPO}/issues/comments/50`).reply(200, stored);
    const put = { key: "status:3", body: "Working on it.", knownId: 50 };
    expect(await github.putComment(REPOSITORY, 3, put)).toMatchObject({ id: 50 });
  });

  it("that this process wrote is edited without a look at it, and looked at before it counts as unchanged", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/3/comments`).query(true).reply(200, []);
    scope.post(`${REPO}/issues/3/comments`).reply(201, commentAnswer(51));
    const put = { key: "status:3", knownId: undefined };
    await github.putComment(REPOSITORY, 3, { ...put, body: "Working on it." });
    scope.patch(`${REPO}/issues/comments/51`).reply(200, commentAnswer(51));
    const edit = { key: "status:3", body: "Done.", knownId: 51 };
    expect(await github.putComment(REPOSITORY, 3, edit)).toMatchObject({ id: 51 });
    const changed = signedMarker.sign(REPOSITORY.id, "status:3", "Changed by a person.");
    scope.get(`${REPO}/issues/comments/51`).reply(200, commentAnswer(51, { body: changed }));
    scope.patch(`${REPO}/issues/comments/51`).reply(200, commentAnswer(51));
    expect(await github.putComment(REPOSITORY, 3, edit)).toMatchObject({ id: 51 });
    scope.done();
  });

  it("that this process wrote is written anew when somebody has deleted it", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/3/comments`).query(true).times(2).reply(200, []);
    scope.post(`${REPO}/issues/3/comments`).reply(201, commentAnswer(51));
    const put = { key: "status:3", body: "Working on it.", knownId: undefined };
    await github.putComment(REPOSITORY, 3, put);
    scope.patch(`${REPO}/issues/comments/51`).reply(404, { message: "Not Found" });
    scope.get(`${REPO}/issues/comments/51`).reply(404, { message: "Not Found" });
    scope.post(`${REPO}/issues/3/comments`).reply(201, commentAnswer(52));
    const edit = { key: "status:3", body: "Done.", knownId: 51 };
    expect(await github.putComment(REPOSITORY, 3, edit)).toMatchObject({ id: 52 });
  });

  it("without an author or a text is read as one of a deleted account", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    const bare = commentAnswer(1, { user: null, body: undefined });
    scope.get(`${REPO}/issues/3/comments`).query(true).reply(200, [bare]);
    const [comment] = await mockedGitHub(stoppedClock()).comments(REPOSITORY, 3);
    expect(comment).toMatchObject({ body: "", author: { login: "ghost", type: "User" } });
  });
});
