import { describe, expect, it } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import { mockHttp } from "../../http-mock.ts";
import { issueAnswer } from "./answers.ts";
import {
  BASE,
  mintsToken,
  mockedGitHub,
  NOON,
  ORIGIN,
  PRIVATE_KEY,
  REPOSITORY,
  SILENT,
  stoppedClock,
} from "./mocked-github.ts";

const OPTIONS = {
  appId: 12,
  baseUrl: `${ORIGIN}${BASE}`,
  markerSecret: "secret of the markers",
  labels: [],
  clock: stoppedClock(),
  log: SILENT,
  minted: () => {},
} as const;

const mocks = mockHttp(ORIGIN);
const ISSUE = `${BASE}/repos/octo/shop/issues/3`;
const MINUTE = 60_000;

describe("a token for the API", () => {
  it("is minted for the one repository and the permissions needed", async () => {
    const asked: unknown[] = [];
    const scope = mocks();
    mintsToken(scope, { token: "one", asked: (body) => asked.push(body) });
    scope.get(ISSUE).reply(200, issueAnswer(3));
    await mockedGitHub(stoppedClock()).issue(REPOSITORY, 3);
    expect(asked.at(-1)).toEqual({
      repository_ids: [77],
      permissions: {
        metadata: "read",
        contents: "read",
        issues: "write",
        pull_requests: "write",
        checks: "write",
        actions: "write",
        statuses: "read",
      },
    });
  });

  it("for a merge is at hand when the merge leaves, where it was made ready", async () => {
    const told: string[] = [];
    const scope = mocks();
    mintsToken(scope, { token: "merges", asked: () => told.push("token") });
    scope.put(`${BASE}/repos/octo/shop/pulls/4/merge`).reply(200, () => {
      told.push("merge");
      return { sha: "c".repeat(40), merged: true, message: "" };
    });
    const github = mockedGitHub(stoppedClock());
    await github.readyToMerge(REPOSITORY);
    told.push("ready");
    await github.mergePull(REPOSITORY, 4, { head: "a".repeat(40), method: "squash" });
    expect(told.slice(-3)).toEqual(["token", "ready", "merge"]);
  });

  it("is known as a secret before anything is asked with it, until its end", async () => {
    const told: string[] = [];
    const scope = mocks();
    mintsToken(scope, { token: "one", at: NOON + MINUTE });
    scope.get(ISSUE).reply(200, () => {
      told.push("asked");
      return issueAnswer(3);
    });
    const minted = (token: string, until: number) => told.push(`${token} until ${until - NOON}`);
    await mockedGitHub(stoppedClock(), undefined, minted).issue(REPOSITORY, 3);
    expect(told).toEqual([`one until ${61 * MINUTE}`, "asked"]);
  });

  it("is minted for both repositories where one issue waits for another's, if one installation has both", async () => {
    const LIB = { ...REPOSITORY, id: 78, name: "lib" };
    const FAR = { ...LIB, id: 79, installationId: 6 };
    const asked: unknown[] = [];
    const scope = mocks();
    const blocking = `${BASE}/repos/octo/lib/issues/2`;
    for (const token of ["lib", "both"]) mintsToken(scope, { token, asked: (body) => asked.push(body) });
    scope.get(blocking).matchHeader("authorization", "token lib").reply(200, issueAnswer(2));
    const blockedBy = scope.post(`${ISSUE}/dependencies/blocked_by`, { issue_id: 1002 });
    blockedBy.matchHeader("authorization", "token both").reply(201, issueAnswer(2));
    const github = mockedGitHub(stoppedClock());
    await github.addBlockedBy(REPOSITORY, 3, 2, LIB);
    expect(asked.filter((body) => body !== "")).toMatchObject([
      { repository_ids: [78] },
      { repository_ids: [77, 78] },
    ]);
    scope
      .post(`${BASE}/app/installations/6/access_tokens`)
      .reply(201, { token: "far", expires_at: new Date(NOON + 3_600_000).toISOString() });
    mintsToken(scope, { token: "own", asked: (body) => asked.push(body) });
    scope.get(blocking).matchHeader("authorization", "token far").reply(200, issueAnswer(2));
    scope
      .post(`${ISSUE}/dependencies/blocked_by`)
      .matchHeader("authorization", "token own")
      .reply(201, issueAnswer(2));
    await github.addBlockedBy(REPOSITORY, 3, 2, FAR);
    expect(asked.at(-1)).toMatchObject({ repository_ids: [77] });
  });

  it("is shared by requests at the same time and renewed five minutes before its end", async () => {
    const scope = mocks();
    const clock = stoppedClock();
    mintsToken(scope, { token: "one" });
    scope.get(ISSUE).times(3).matchHeader("authorization", "token one").reply(200, issueAnswer(3));
    const github = mockedGitHub(clock);
    await Promise.all([github.issue(REPOSITORY, 3), github.issue(REPOSITORY, 3)]);
    clock.move(55 * MINUTE - 1);
    await github.issue(REPOSITORY, 3);
    clock.move(1);
    mintsToken(scope, { token: "two", at: NOON + 55 * MINUTE });
    scope.get(ISSUE).times(2).matchHeader("authorization", "token two").reply(200, issueAnswer(3));
    const both = await Promise.all([github.issue(REPOSITORY, 3), github.issue(REPOSITORY, 3)]);
    expect(both.map(({ number }) => number)).toEqual([3, 3]);
  });

  it("is asked for again after a failure", async () => {
    const scope = mocks();
    scope.post(`${BASE}/app/installations/5/access_tokens`).reply(502, "bad gateway");
    mintsToken(scope, { token: "one" });
    scope.get(ISSUE).reply(200, issueAnswer(3));
    const github = mockedGitHub(stoppedClock());
    await expect(github.issue(REPOSITORY, 3)).rejects.toMatchObject({ code: "unavailable" });
    await expect(github.issue(REPOSITORY, 3)).resolves.toMatchObject({ number: 3 });
  });

  it("that GitHub refuses is not asked for again within ten seconds, and is when a person may have granted it", async () => {
    const scope = mocks();
    const clock = stoppedClock();
    scope.post(`${BASE}/app/installations/5/access_tokens`).reply(404, { message: "Not Found" });
    const github = mockedGitHub(clock);
    for (let times = 0; times < 3; times += 1)
      await expect(github.issue(REPOSITORY, 3)).rejects.toMatchObject({ code: "not_found" });
    clock.move(10_000);
    mintsToken(scope, { token: "one", at: NOON + 10_000 });
    scope.get(ISSUE).reply(200, issueAnswer(3));
    await expect(github.issue(REPOSITORY, 3)).resolves.toMatchObject({ number: 3 });
  });

  it("that GitHub will not grant says where to grant it", async () => {
    const message = "The permissions requested are not granted to this installation.";
    mocks().post(`${BASE}/app/installations/5/access_tokens`).reply(422, { message });
    await expect(mockedGitHub(stoppedClock()).issue(REPOSITORY, 3)).rejects.toMatchObject({
      code: "forbidden",
      consequence: "tell",
      advice: expect.stringContaining("app.yml"),
    });
  });
});

describe("a token for git", () => {
  it("is for contents of the repository alone and at most a minute old", async () => {
    const asked: unknown[] = [];
    const scope = mocks();
    const clock = stoppedClock();
    mintsToken(scope, { token: "first", asked: (body) => asked.push(body) });
    const github = mockedGitHub(clock);
    expect(await github.gitToken(REPOSITORY)).toBe("first");
    clock.move(MINUTE - 1);
    expect(await github.gitToken(REPOSITORY)).toBe("first");
    clock.move(1);
    mintsToken(scope, { token: "second" });
    expect(await github.gitToken(REPOSITORY)).toBe("second");
    expect(asked.at(-1)).toEqual({
      repository_ids: [77],
      permissions: { metadata: "read", contents: "write" },
    });
  });
});

describe("a machine without the App's key", () => {
  const READS = { metadata: "read", contents: "read", issues: "read" };

  it.each([
    ["git", { metadata: "read", contents: "write" }],
    ["agents", { ...READS, pull_requests: "write", checks: "read", actions: "read", statuses: "read" }],
    ["reading", { ...READS, pull_requests: "read" }],
  ] as const)(
    "gets a token for %s of one repository with these permissions alone",
    async (use, permissions) => {
      const asked: unknown[] = [];
      mintsToken(mocks(), { token: "theirs", asked: (body) => asked.push(body) });
      const { token } = await createGitHub({ ...OPTIONS, privateKey: PRIVATE_KEY }).tokenFor(REPOSITORY, use);
      expect([token, asked.at(-1)]).toEqual(["theirs", { repository_ids: [77], permissions }]);
    },
  );

  it("asks a controller for its tokens, knows them as secrets, and merges nothing", async () => {
    const told: string[] = [];
    const github = createGitHub({
      ...OPTIONS,
      privateKey: undefined,
      throughController: {
        askForToken: async ({ purpose, repositoryId }) => {
          told.push(`${purpose} of ${repositoryId}`);
          return { token: "sealed", expiresAt: NOON + 60 * MINUTE };
        },
        identity: async () => ({ slug: "flotilla", appId: 12, botLogin: "flotilla[bot]", botId: 41 }),
      },
      minted: (token) => told.push(`${token} is known`),
    });
    mocks().get(ISSUE).matchHeader("authorization", "token sealed").reply(200, issueAnswer(3));
    await github.issue(REPOSITORY, 3);
    expect(await github.gitToken(REPOSITORY)).toBe("sealed");
    expect(told).toEqual(["api of 77", "sealed is known", "git of 77", "sealed is known"]);
    await expect(github.readyToMerge(REPOSITORY)).rejects.toThrow("This machine has no key of the App");
    await expect(github.tokenFor(REPOSITORY, "git")).rejects.toThrow("This machine has no key of the App");
    expect(await github.identity()).toMatchObject({ slug: "flotilla" });
  });
});
