import nock from "nock";
import { describe, expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const JOB = `${BASE}/repos/octo/shop/actions/jobs/9`;
const STORE = "https://logs.example.test";
const STEPS = [
  { name: "Set up job", conclusion: "success" },
  { name: "npm test", conclusion: "failure" },
  { name: "Post", conclusion: "skipped" },
];

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope.get(JOB).reply(200, { id: 9, name: "test (24)", steps: STEPS });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

describe("the log of a failed job", () => {
  it("is read from where GitHub keeps it, without our token", async () => {
    const { scope, github } = ready();
    scope.get(`${JOB}/logs`).reply(302, "", { location: `${STORE}/9?signature=x` });
    const store = nock(STORE, { badheaders: ["authorization"] })
      .get("/9?signature=x")
      .reply(200, "Error: no");
    expect(await github.failedJob(REPOSITORY, 9)).toEqual({
      name: "test (24)",
      step: "npm test",
      log: "Error: no",
    });
    expect(store.isDone()).toBe(true);
  });

  it("is kept from its end where it is long", async () => {
    const { scope, github } = ready();
    scope.get(`${JOB}/logs`).reply(302, "", { location: `${STORE}/9` });
    nock(STORE)
      .get("/9")
      .reply(200, `${"x".repeat(5_000_000)}the end`);
    const log = (await github.failedJob(REPOSITORY, 9))?.log ?? "";
    expect(log.endsWith("the end")).toBe(true);
    expect(log.length).toBeLessThan(4_000_000);
  });

  it.each([
    ["over a line that anybody can read", "http://logs.example.test/9"],
    ["of another kind", "ftp://logs.example.test/9"],
  ])("is not read %s", async (_, location) => {
    const { scope, github } = ready();
    scope.get(`${JOB}/logs`).reply(302, "", { location });
    await expect(github.failedJob(REPOSITORY, 9)).rejects.toMatchObject({ code: "invalid" });
  });

  it.each([403, 404, 410])(
    "is none where GitHub answers %d: it is kept for a time, and the App may not look",
    async (status) => {
      const { scope, github } = ready();
      scope.get(`${JOB}/logs`).reply(status, { message: "No." });
      expect(await github.failedJob(REPOSITORY, 9)).toMatchObject({ step: "npm test", log: "" });
    },
  );
});

it("sends nothing else to another server: a redirect of any other request is refused", async () => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope.get(JOB).reply(302, "", { location: `${STORE}/9` });
  await expect(mockedGitHub(stoppedClock()).failedJob(REPOSITORY, 9)).rejects.toMatchObject({
    code: "invalid",
  });
});
