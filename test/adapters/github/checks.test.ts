import { describe, expect, it } from "vitest";
import { mockHttp } from "../../http-mock.ts";
import { BASE, mintsToken, mockedGitHub, ORIGIN, REPOSITORY, stoppedClock } from "./mocked-github.ts";

const mocks = mockHttp(ORIGIN);
const REPO = `${BASE}/repos/octo/shop`;
const COMMIT = "c".repeat(40);
const PAGE = { page: 1, per_page: 100 };

function ready() {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  return { scope, github: mockedGitHub(stoppedClock()) };
}

const protection = (required_status_checks: object) => ({
  name: "main",
  protected: true,
  protection: { enabled: true, required_status_checks },
});

describe("the checks of a commit", () => {
  it.each([
    ["success", "green"],
    ["neutral", "green"],
    ["skipped", "green"],
    ["failure", "red"],
    ["timed_out", "red"],
    ["cancelled", "red"],
    ["action_required", "red"],
    ["stale", "red"],
    ["startup_failure", "red"],
  ])("that ended with %s are %s", async (conclusion, state) => {
    const { scope, github } = ready();
    const runs = [{ id: 9, name: "build", status: "completed", conclusion, app: { slug: "ci" } }];
    scope
      .get(`${REPO}/commits/${COMMIT}/check-runs`)
      .query({ ...PAGE, filter: "latest" })
      .reply(200, { total_count: 1, check_runs: runs });
    scope.get(`${REPO}/commits/${COMMIT}/statuses`).query(PAGE).reply(200, []);
    expect(await github.checks(REPOSITORY, COMMIT)).toEqual([
      { name: "build", state, conclusion, run: { id: 9, job: false } },
    ]);
  });

  it("are pending while they run, and a status counts by its newest word", async () => {
    const { scope, github } = ready();
    scope
      .get(`${REPO}/commits/${COMMIT}/check-runs`)
      .query({ ...PAGE, filter: "latest" })
      .reply(200, {
        total_count: 1,
        check_runs: [{ id: 9, name: "build", status: "in_progress", conclusion: null, app: null }],
      });
    scope
      .get(`${REPO}/commits/${COMMIT}/statuses`)
      .query(PAGE)
      .reply(200, [
        { context: "lint", state: "error" },
        { context: "lint", state: "success" },
      ]);
    expect(await github.checks(REPOSITORY, COMMIT)).toEqual([
      { name: "build", state: "pending", conclusion: "in_progress", run: { id: 9, job: false } },
      { name: "lint", state: "red", conclusion: "error" },
    ]);
  });
});

it.each([
  [{ text: "expected 1, got 2", summary: "1 failed" }, "expected 1, got 2"],
  [{ text: null, summary: "1 failed" }, "1 failed"],
  [{ text: null, summary: null }, undefined],
])("tells what a red check run says of itself: its text, else its summary (%j)", async (said, output) => {
  const { scope, github } = ready();
  const run = {
    id: 9,
    name: "build",
    status: "completed",
    app: { slug: "github-actions" },
    output: { title: null, ...said },
  };
  scope
    .get(`${REPO}/commits/${COMMIT}/check-runs`)
    .query({ ...PAGE, filter: "latest" })
    .reply(200, {
      total_count: 2,
      check_runs: [
        { ...run, conclusion: "failure" },
        { ...run, conclusion: "success" },
      ],
    });
  scope.get(`${REPO}/commits/${COMMIT}/statuses`).query(PAGE).reply(200, []);
  const [red, green] = await github.checks(REPOSITORY, COMMIT);
  expect(red?.output).toBe(output);
  expect(green).toEqual({
    name: "build",
    state: "green",
    conclusion: "success",
    run: { id: 9, job: true },
  });
});

describe("the checks that a branch requires", () => {
  it("are those of its protection and of its rulesets, each once", async () => {
    const { scope, github } = ready();
    const contexts = ["build", "lint"];
    scope
      .get(`${REPO}/branches/main`)
      .reply(200, protection({ enforcement_level: "non_admins", contexts, checks: [] }));
    const rule = {
      type: "required_status_checks",
      parameters: {
        required_status_checks: [{ context: "lint" }, { context: "docs" }],
        strict_required_status_checks_policy: false,
      },
    };
    scope
      .get(`${REPO}/rules/branches/main`)
      .query(PAGE)
      .reply(200, [{ type: "deletion" }, rule]);
    expect(await github.requiredChecks(REPOSITORY, "main")).toEqual(["build", "lint", "docs"]);
  });

  it("are none of a protection that is switched off, and none that the App may not read", async () => {
    const { scope, github } = ready();
    scope
      .get(`${REPO}/branches/main`)
      .reply(200, protection({ enforcement_level: "off", contexts: ["build"], checks: [] }));
    scope.get(`${REPO}/rules/branches/main`).query(PAGE).reply(403, { message: "Resource not accessible" });
    expect(await github.requiredChecks(REPOSITORY, "main")).toEqual([]);
  });

  it("are not taken for none while GitHub does not answer", async () => {
    const { scope, github } = ready();
    scope.get(`${REPO}/branches/main`).reply(502, { message: "Bad gateway" });
    await expect(github.requiredChecks(REPOSITORY, "main")).rejects.toMatchObject({ code: "unavailable" });
  });
});
