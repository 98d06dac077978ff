import { describe, expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { mockHttp } from "../../http-mock.ts";
import { issueAnswer, pullAnswer } from "./answers.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;
const ISSUE = `${REPO}/issues/3`;
const HOUR = 60 * 60_000;

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  const clock = stoppedClock();
  return { scope, clock, github: mockedGitHub(clock) };
}

/** The error that a call ends with. */
async function errorOf(call: Promise<unknown>): Promise<GitHubError> {
  const error: unknown = await call.then(
    () => "no error",
    (thrown: unknown) => thrown,
  );
  if (error instanceof GitHubError) return error;
  throw new Error(`no GitHubError: ${String(error)}`);
}

describe("an answer that is not as GitHub documents it", () => {
  it("names the endpoint and the field of a branch without its protection, and is asked again", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/branches/main`).reply(200, { name: "main", protected: true });
    expect(await errorOf(github.requiredChecks(REPOSITORY, "main"))).toMatchObject({
      code: "malformed",
      consequence: "retry",
      uncertain: false,
      message:
        "The answer to GET /api/v3/repos/octo/shop/branches/main is not as GitHub documents it: protection: Invalid input: expected object, received undefined; it is asked again",
      advice: expect.stringContaining("proxy"),
    });
  });

  it.each<[string, object | string, string]>([
    [
      "an unknown state",
      issueAnswer(3, { state: "paused" }),
      'state: Invalid option: expected one of "open"|"closed"',
    ],
    ["no state", issueAnswer(3, { state: undefined }), "state: "],
    ["a list for an object", [issueAnswer(3)], "the answer: Invalid input: expected object, received array"],
    ["a number that no number of ours can hold", `{"id": 99007199254740993, "number": 3}`, "id: "],
  ])("an issue with %s", async (_, answer, fault) => {
    const { scope, github } = ready();
    scope.get(ISSUE).reply(200, answer, { "content-type": "application/json" });
    const error = await errorOf(github.issue(REPOSITORY, 3));
    expect(error).toMatchObject({ code: "malformed", consequence: "retry" });
    expect(error.message).toContain(`GET ${ISSUE} is not as GitHub documents it: ${fault}`);
  });

  it("goes to a person once it has lasted for an hour, and is forgotten with the first good answer", async () => {
    const { scope, clock, github } = ready();
    const ask = () => errorOf(github.issue(REPOSITORY, 3));
    const bad = () => scope.get(ISSUE).reply(200, {});
    bad();
    expect((await ask()).consequence).toBe("retry");
    clock.move(HOUR / 2);
    bad();
    expect((await ask()).consequence).toBe("retry");
    clock.move(HOUR / 4);
    scope.get(ISSUE).reply(200, issueAnswer(3));
    await github.issue(REPOSITORY, 3);
    bad();
    expect((await ask()).consequence).toBe("retry");
    mintsToken(scope, { token: "two", at: Date.parse("2026-01-01T13:45:00Z") });
    clock.move(HOUR);
    bad();
    expect(await ask()).toMatchObject({
      consequence: "tell",
      message: expect.stringMatching(
        /; it has been so since 2026-01-01T12:45:00.000Z, so a person must look$/,
      ),
    });
  });

  it("leaves open whether a write was carried out", async () => {
    const { scope, github } = ready();
    scope.put(`${REPO}/pulls/4/merge`).reply(200, { merged: true });
    const call = github.mergePull(REPOSITORY, 4, { head: "a".repeat(40), method: "squash" });
    expect(await errorOf(call)).toMatchObject({ code: "malformed", uncertain: true });
  });

  it("is not confirmed by its ETag", async () => {
    const { scope, github } = ready();
    scope.get(ISSUE).reply(200, {}, { etag: '"odd"' });
    await errorOf(github.issue(REPOSITORY, 3));
    mocks({ badheaders: ["if-none-match"] })
      .get(ISSUE)
      .reply(200, issueAnswer(3));
    await expect(github.issue(REPOSITORY, 3)).resolves.toMatchObject({ number: 3 });
  });
});

describe("an answer that is not JSON", () => {
  it.each<[string, number, string, Record<string, string>, string]>([
    ["an empty body", 200, "", {}, "status 200, an empty body, no content type"],
    [
      "a page of a proxy",
      200,
      "<html>",
      { "content-type": "text/html" },
      "status 200, 6 characters, text/html",
    ],
    ["cut off", 200, '{"id": 1', { "content-type": "application/json" }, "8 characters, application/json"],
    ["304 to a first question", 304, "", {}, "status 304"],
  ])("is an outage: %s", async (_, status, body, headers, fault) => {
    const { scope, github } = ready();
    scope.get(ISSUE).reply(status, body, headers);
    const error = await errorOf(github.issue(REPOSITORY, 3));
    expect(error).toMatchObject({ code: "unavailable", consequence: "retry" });
    expect(error.message).toContain(`The answer to GET ${ISSUE} is not JSON: `);
    expect(error.message).toContain(fault);
  });

  it("goes to a person after a day", async () => {
    const { scope, clock, github } = ready();
    const bad = () => scope.get(ISSUE).reply(200, "<html>", { "content-type": "text/html" });
    bad();
    await errorOf(github.issue(REPOSITORY, 3));
    clock.move(24 * HOUR);
    mintsToken(scope, { token: "two", at: clock.now() });
    bad();
    expect(await errorOf(github.issue(REPOSITORY, 3))).toMatchObject({ consequence: "tell" });
  });
});

describe("what GitHub leaves out or makes null", () => {
  it("is read: accounts that are gone, labels as texts, a head without a repository", async () => {
    const { scope, github } = ready();
    const gone = { user: null, assignees: [null], labels: ["bug", { name: null }, {}], milestone: null };
    scope.get(ISSUE).reply(200, issueAnswer(3, { ...gone, body: null, performed_via_github_app: null }));
    expect(await github.issue(REPOSITORY, 3)).toMatchObject({
      author: { login: "ghost" },
      assignees: [],
      labels: ["bug"],
      body: "",
    });
    const head = { ref: "b", sha: "a".repeat(40), repo: null };
    scope.get(`${REPO}/pulls/4`).reply(200, pullAnswer(4, { ...gone, head }));
    expect(await github.pullRequest(REPOSITORY, 4)).toMatchObject({ headRepository: null, asked: [] });
  });

  it("is who assigned, where that account is gone, and not who was assigned", async () => {
    const { scope, github } = ready();
    const event = {
      id: 1,
      event: "assigned",
      actor: { id: 9, login: "octocat" },
      created_at: "2026-01-01T11:00:00Z",
    };
    scope
      .get(`${ISSUE}/events`)
      .query(true)
      .reply(200, [{ ...event, assigner: null, assignee: null }, event]);
    expect(await github.events(REPOSITORY, 3)).toMatchObject([
      { actor: { login: "ghost" }, assignee: { login: "ghost" } },
      { actor: { login: "octocat" }, assignee: null, label: null },
    ]);
  });
});

describe("a list", () => {
  const page = Array.from({ length: 100 }, (_, index) => issueAnswer(index + 10));

  it("that repeats a page is not read for ever", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/issues/3/sub_issues`).query(true).twice().reply(200, page);
    const error = await errorOf(github.subIssues(REPOSITORY, 3));
    expect(error.message).toContain("page 2 repeats the one before");
  });

  it("without an end is not read for ever", async () => {
    const { scope, clock, github } = ready();
    let asked = 0;
    scope
      .get(`${REPO}/issues/3/sub_issues`)
      .query(true)
      .times(301)
      .reply(200, () => {
        asked += 1;
        return page.map((one, index) => ({ ...one, number: asked * 1000 + index }));
      });
    const error = await errorOf(github.subIssues(REPOSITORY, 3));
    expect(error.message).toContain("the list has no end after 300 pages");
    expect(clock.now()).toBeGreaterThan(0);
  });
});

describe("the App's webhook deliveries", () => {
  const LIST = `${BASE}/app/hook/deliveries`;
  const sent = { id: 1, guid: "g", event: "push", delivered_at: "2026-01-01T11:00:00Z" };

  it.each([
    ["leads in a circle", `<${ORIGIN}${LIST}?cursor=a>; rel="next"`, 2, "was read before"],
    ["names no address", '<::>; rel="next"', 1, "has no cursor"],
    ["names no cursor", `<${ORIGIN}${LIST}>; rel="next"`, 1, "has no cursor"],
  ])("whose next page %s are no endless list", async (_, link, times, fault) => {
    const scope = mocks();
    scope.get(LIST).query(true).times(times).reply(200, [sent], { link });
    const error = await errorOf(mockedGitHub(stoppedClock()).hookAttempts(0));
    expect(error.message).toMatch(new RegExp(`^The answer to GET ${LIST}.*: Link: .*${fault}`));
  });

  it("keep an id that is larger than numbers are", async () => {
    const scope = mocks();
    const body = JSON.stringify([sent]).replace('"id":1', '"id":1234567890123456789');
    scope.get(LIST).query(true).reply(200, body, { "content-type": "application/json" });
    const github = mockedGitHub(stoppedClock());
    const [attempt] = await github.hookAttempts(0);
    scope.post(`${LIST}/1234567890123456789/attempts`).reply(202, {});
    await github.redeliver(attempt?.id ?? 0);
    expect(attempt?.id).toBe(1234567890123456789n);
  });
});
