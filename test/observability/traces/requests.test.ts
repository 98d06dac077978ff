import { expect, it } from "vitest";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import type { Level } from "../../../src/domain/access/level.ts";
import { type Traces, tracesTo } from "../../../src/observability/traces/create-traces.ts";
import { issueAnswer } from "../../adapters/github/answers.ts";
import {
  BASE,
  mintsToken,
  NOON,
  ORIGIN,
  PRIVATE_KEY,
  REPOSITORY,
  SILENT,
} from "../../adapters/github/mocked-github.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { mockHttp } from "../../http-mock.ts";
import { DELIVERY } from "./a-delivery.ts";
import { pathOf, takesSpans } from "./taken.ts";

const mocks = mockHttp(ORIGIN);
const ISSUE = `${BASE}/repos/octo/shop/issues/3`;

function aTracedGitHub(level: Level = "merge") {
  const taker = takesSpans();
  const clock = createFakeClock(NOON);
  const traces: Traces = tracesTo(taker, {
    service: { name: "acme", version: "1.2.3" },
    within: (_, work) => work(),
    fields: () => ({ issue: 3 }),
    clock,
  });
  const github = createGitHub({
    appId: 12,
    privateKey: PRIVATE_KEY,
    baseUrl: `${ORIGIN}${BASE}`,
    markerSecret: "secret of the markers",
    labels: [],
    clock,
    log: SILENT,
    minted: () => {},
    level: () => level,
    around: traces.request,
  });
  const handling = (work: () => Promise<unknown>) =>
    traces.handling(DELIVERY, async () => {
      await work();
      return "handled";
    });
  return { github, handling, taken: taker.taken };
}

it("shows each request below what asked for it, by its route and status, and no name in it", async () => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope.get(ISSUE).reply(200, issueAnswer(3));
  const { github, handling, taken } = aTracedGitHub();
  await handling(() => github.issue(REPOSITORY, 3));
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}";
  expect(taken.map((span) => pathOf(taken, span))).toEqual([
    `? > handle issues.opened > ${route} > POST /app/installations/{installation_id}/access_tokens`,
    `? > handle issues.opened > ${route}`,
    "? > handle issues.opened",
  ]);
  expect(taken[1]?.attributes).toEqual({
    "flotilla.delivery": "d-1",
    "flotilla.issue": 3,
    "http.request.method": "GET",
    "url.template": "/repos/{owner}/{repo}/issues/{issue_number}",
    "http.response.status_code": 200,
  });
  expect(JSON.stringify(taken)).not.toMatch(/octo|shop/);
});

it("shows how one failed by a word of ours, not by what GitHub says", async () => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope.get(ISSUE).reply(404, { message: "canary" });
  const { github, handling, taken } = aTracedGitHub();
  await expect(handling(() => github.issue(REPOSITORY, 3))).rejects.toThrow("canary");
  expect(taken[1]).toMatchObject({
    failed: true,
    attributes: { "http.response.status_code": 404, "error.type": "not_found" },
  });
  expect(taken.at(-1)).toMatchObject({ failed: true, attributes: { "error.type": "not_found" } });
  expect(JSON.stringify(taken)).not.toContain("canary");
});

it("shows none that the level withheld, which was not sent", async () => {
  const { github, handling, taken } = aTracedGitHub("observe");
  await expect(handling(() => github.removeLabel(REPOSITORY, 3, "bug"))).rejects.toThrow("withheld");
  expect(taken.map(({ name }) => name)).toEqual(["handle issues.opened"]);
});

it("shows none that belongs to nothing", async () => {
  const scope = mocks();
  mintsToken(scope, { token: "one" });
  scope.get(ISSUE).reply(200, issueAnswer(3));
  const { github, taken } = aTracedGitHub();
  await github.issue(REPOSITORY, 3);
  expect(taken).toEqual([]);
});
