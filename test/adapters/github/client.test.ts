import { describe, expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { issueAnswer } from "./answers.ts";
import { BASE, mintsToken, mockedGitHub, NOON, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const ISSUE = `${BASE}/repos/octo/shop/issues/3`;

describe("a request", () => {
  it("says who we are and speaks a fixed version of the API", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope
      .get(ISSUE)
      .matchHeader("authorization", "token one")
      .matchHeader("user-agent", /^flotilla\/\d+\.\d+\.\d+ /)
      .matchHeader("x-github-api-version", "2022-11-28")
      .reply(200, issueAnswer(3));
    const issue = await mockedGitHub(stoppedClock()).issue(REPOSITORY, 3);
    expect(issue).toMatchObject({ id: 1003, number: 3, labels: ["bug", "old-form"], isPullRequest: false });
  });

  it("gets a new token once when GitHub refuses the old one", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "revoked" });
    scope.get(ISSUE).matchHeader("authorization", "token revoked").reply(401, { message: "Bad credentials" });
    mintsToken(scope, { token: "new" });
    scope.get(ISSUE).matchHeader("authorization", "token new").reply(200, issueAnswer(3));
    await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).resolves.toMatchObject({ number: 3 });
  });

  it("sends no merge a second time when GitHub refuses the token: it is retried with a new one", async () => {
    const scope = mocks();
    const github = mockedGitHub(stoppedClock());
    const merge = () => github.mergePull(REPOSITORY, 3, { head: "a".repeat(40), method: "squash" });
    const path = `${ISSUE.replace("/issues/", "/pulls/")}/merge`;
    mintsToken(scope, { token: "revoked" });
    scope.put(path).matchHeader("authorization", "token revoked").reply(401, { message: "Bad credentials" });
    mintsToken(scope, { token: "new" });
    await expect(merge()).rejects.toMatchObject({ status: 401, consequence: "retry", uncertain: false });
    scope
      .put(path)
      .matchHeader("authorization", "token new")
      .reply(200, { sha: "b".repeat(40) });
    await expect(merge()).resolves.toEqual({ kind: "merged", commit: "b".repeat(40) });
  });

  it("gets a new token for git too once GitHub has refused one of the installation's", async () => {
    const scope = mocks();
    const github = mockedGitHub(stoppedClock());
    mintsToken(scope, { token: "git one" });
    expect([await github.gitToken(REPOSITORY), await github.gitToken(REPOSITORY)]).toEqual([
      "git one",
      "git one",
    ]);
    mintsToken(scope, { token: "revoked" });
    scope.get(ISSUE).reply(401, { message: "Bad credentials" });
    mintsToken(scope, { token: "new" });
    scope.get(ISSUE).reply(200, issueAnswer(3));
    await github.issue(REPOSITORY, 3);
    mintsToken(scope, { token: "git two" });
    expect(await github.gitToken(REPOSITORY)).toBe("git two");
  });

  it("gives up when GitHub refuses the new token too", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    mintsToken(scope, { token: "two" });
    scope.get(ISSUE).twice().reply(401, { message: "Bad credentials" });
    await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).rejects.toMatchObject({
      code: "unauthorized",
      consequence: "tell",
    });
  });

  it("blames the App's key when the App itself is refused", async () => {
    const scope = mocks();
    scope.post(`${BASE}/app/installations/5/access_tokens`).twice().reply(401, { message: "Bad" });
    await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).rejects.toMatchObject({
      code: "unauthorized",
      advice: expect.stringContaining("APP_ID"),
    });
  });

  it("follows a renamed repository on the same server", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope.get(ISSUE).reply(301, {}, { location: `${ORIGIN}${BASE}/repositories/77/issues/3` });
    scope.get(`${BASE}/repositories/77/issues/3`).reply(200, issueAnswer(3));
    await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).resolves.toMatchObject({ number: 3 });
  });

  it("counts each step of a redirect from its answer on", async () => {
    const scope = mocks();
    const clock = stoppedClock();
    mintsToken(scope, { token: "one" });
    const there = `${BASE}/repositories/77/issues/3/labels/bug`;
    scope
      .delete(`${ISSUE}/labels/bug`)
      .times(81)
      .reply(307, {}, { location: `${ORIGIN}${there}` });
    scope.delete(there).reply(() => {
      clock.move(5000);
      return [200, []];
    });
    scope.delete(there).times(80).reply(200, []);
    const github = mockedGitHub(clock);
    for (let time = 0; time < 81; time += 1) await github.removeLabel(REPOSITORY, 3, "bug");
    // 810 points of 900 are for what nobody waits for.
    await expect(github.removeLabel(REPOSITORY, 3, "bug")).rejects.toMatchObject({ retryAt: NOON + 65_000 });
  });

  it("writes to a renamed repository what it wanted to write", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    const reactions = "issues/comments/8/reactions";
    const location = `${ORIGIN}${BASE}/repositories/77/${reactions}`;
    scope.post(`${BASE}/repos/octo/shop/${reactions}`).reply(307, {}, { location });
    scope.post(`${BASE}/repositories/77/${reactions}`, { content: "eyes" }).reply(201, { id: 1 });
    await expect(mockedGitHub(stoppedClock()).react(REPOSITORY, 8, "eyes")).resolves.toBeUndefined();
  });

  it("reacts to a comment at a line where GitHub keeps those", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    const path = `${BASE}/repos/octo/shop/pulls/comments/8/reactions`;
    scope.post(path, { content: "confused" }).reply(201, { id: 1 });
    const github = mockedGitHub(stoppedClock());
    await expect(github.react(REPOSITORY, 8, "confused", "review")).resolves.toBeUndefined();
  });

  it("does not take a write for done, nor repeat it, when a 301 would make a read of it", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    const location = `${ORIGIN}${BASE}/repositories/77/issues/comments/8/reactions`;
    scope.post(`${BASE}/repos/octo/shop/issues/comments/8/reactions`).reply(301, {}, { location });
    await expect(mockedGitHub(stoppedClock()).react(REPOSITORY, 8, "eyes")).rejects.toMatchObject({
      code: "invalid",
      status: 301,
    });
  });

  it.each(["https://elsewhere.test/api/v3/x", "https://github.test/other/x", "http://github.test/api/v3/x"])(
    "never goes to %s, whatever GitHub answers",
    async (location) => {
      const scope = mocks();
      mintsToken(scope, { token: "one" });
      scope.get(ISSUE).reply(301, {}, { location });
      await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).rejects.toMatchObject({
        code: "invalid",
        consequence: "tell",
        advice: expect.stringContaining("GHE_HOST"),
      });
    },
  );

  it("ends a round of redirects", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope
      .get(ISSUE)
      .times(4)
      .reply(301, {}, { location: `${ORIGIN}${ISSUE}` });
    await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("redirects"),
    });
  });

  it("takes a page of a proxy for no answer", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope.get(ISSUE).reply(200, "<html>", { "content-type": "text/html" });
    await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).rejects.toMatchObject({
      code: "unavailable",
      consequence: "retry",
    });
  });
});

describe("a second read", () => {
  it("asks whether the answer has changed and takes the old one when not", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope.get(ISSUE).reply(200, issueAnswer(3), { etag: '"v1"' });
    scope.get(ISSUE).matchHeader("if-none-match", '"v1"').reply(304);
    scope
      .get(ISSUE)
      .matchHeader("if-none-match", '"v1"')
      .reply(200, issueAnswer(3, { title: "New" }), { etag: '"v2"' });
    const github = mockedGitHub(stoppedClock());
    const first = await github.issue(REPOSITORY, 3);
    expect(await github.issue(REPOSITORY, 3)).toEqual(first);
    expect((await github.issue(REPOSITORY, 3)).title).toBe("New");
  });

  it("of another installation never sees what the first one was told", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope.get(ISSUE).reply(200, issueAnswer(3), { etag: '"v1"' });
    const other = { token: "other", expires_at: new Date(NOON + 3_600_000).toISOString() };
    scope.post(`${BASE}/app/installations/6/access_tokens`).reply(201, other);
    mocks({ badheaders: ["if-none-match"] })
      .get(ISSUE)
      .reply(200, issueAnswer(3, { title: "Theirs" }));
    const github = mockedGitHub(stoppedClock());
    await github.issue(REPOSITORY, 3);
    expect((await github.issue({ ...REPOSITORY, installationId: 6 }, 3)).title).toBe("Theirs");
  });
});

describe("a limit", () => {
  it("that GitHub answers keeps the whole installation still until it is over", async () => {
    const scope = mocks();
    const clock = stoppedClock();
    mintsToken(scope, { token: "one" });
    scope.get(ISSUE).reply(403, { message: "secondary rate limit" }, { "retry-after": "20" });
    scope.get(`${BASE}/repos/octo/shop/issues/4`).reply(200, issueAnswer(4));
    const github = mockedGitHub(clock);
    const limited = { code: "rate_limited", consequence: "park", retryAt: NOON + 20_000 };
    await expect(github.issue(REPOSITORY, 3)).rejects.toMatchObject({ ...limited, status: 403 });
    await expect(github.issue(REPOSITORY, 4)).rejects.toMatchObject({ ...limited, status: 0 });
    clock.move(20_000);
    await expect(github.issue(REPOSITORY, 4)).resolves.toMatchObject({ number: 4 });
  });

  it("is kept when the last allowed request succeeds", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${NOON / 1000 + 60}` };
    scope.get(ISSUE).reply(200, issueAnswer(3), headers);
    const github = mockedGitHub(stoppedClock());
    await github.issue(REPOSITORY, 3);
    await expect(github.issue(REPOSITORY, 3)).rejects.toMatchObject({ retryAt: NOON + 60_000 });
  });

  it("of searches stops searches alone", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${NOON / 1000 + 60}` };
    const there = { ...issueAnswer(3), repository_url: `${BASE}/repos/Octo/shop` };
    const elsewhere = { ...issueAnswer(4), repository_url: `${BASE}/repos/octo/other` };
    scope
      .get(`${BASE}/search/issues`)
      .query({ q: "repo:octo/shop words", per_page: "5" })
      .reply(200, { items: [there, elsewhere] }, headers);
    scope.get(ISSUE).reply(200, issueAnswer(3));
    const github = mockedGitHub(stoppedClock());
    // What another repository holds is left out, whatever GitHub finds.
    expect((await github.searchIssues(REPOSITORY, "words", 5)).map(({ number }) => number)).toEqual([3]);
    const limited = { code: "rate_limited", retryAt: NOON + 60_000 };
    await expect(github.searchIssues(REPOSITORY, "words", 5)).rejects.toMatchObject(limited);
    await expect(github.issue(REPOSITORY, 3)).resolves.toMatchObject({ number: 3 });
  });

  it("on what is made does not count what is taken away", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope.delete(`${BASE}/repos/octo/shop/issues/3/labels/bug`).times(81).reply(200, []);
    const github = mockedGitHub(stoppedClock());
    for (let i = 0; i < 80; i++) await github.removeLabel(REPOSITORY, 3, "bug");
    await expect(github.removeLabel(REPOSITORY, 3, "bug")).resolves.toBeUndefined();
  });

  it("of our own stops the 81st reaction in a minute before it is sent", async () => {
    const scope = mocks();
    mintsToken(scope, { token: "one" });
    scope.post(`${BASE}/repos/octo/shop/issues/comments/8/reactions`).times(80).reply(201, { id: 1 });
    const github = mockedGitHub(stoppedClock());
    for (let i = 0; i < 80; i++) await github.react(REPOSITORY, 8, "eyes");
    await expect(github.react(REPOSITORY, 8, "eyes")).rejects.toMatchObject({
      code: "rate_limited",
      retryAt: NOON + 60_000,
    });
  });
});
