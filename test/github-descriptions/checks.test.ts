import { describe, expect, it } from "vitest";
import { createTokens } from "../../src/demo/github/auth/tokens.ts";
import { createRateLimits } from "../../src/demo/github/http/rate-limits.ts";
import { allRoutes } from "../../src/demo/github/routes/all.ts";
import { emulatedRoutes } from "../../src/demo/github/routes/emulated.ts";
import { createManifests } from "../../src/demo/github/routes/manifest.ts";
import { createWebhooks } from "../../src/demo/github/webhooks/webhooks.ts";
import { operations } from "../fixtures/github/operations.ts";
import { checkRequest, checkResponse } from "./check-api.ts";
import { checkWebhook } from "./check-webhook.ts";
import { watchGitHub } from "./watch.ts";

const none = new URLSearchParams();

function ofRequest(method: string, path: string, query: string, body?: unknown): string[] {
  return checkRequest({ method, path, query: new URLSearchParams(query), body });
}
function ofAnswer(
  status: number,
  body: unknown,
  contentType: string | undefined = "application/json",
): string[] {
  return checkResponse({ method: "GET", path: "/repos/a/b/labels/x", status, contentType, body });
}

describe("the check of requests", () => {
  it("finds unknown operations, unknown and bad queries, and bad bodies", () => {
    expect(ofRequest("GET", "/nowhere", "")).toEqual(["GET /nowhere is not among the extracted operations."]);
    expect(
      ofRequest("GET", "/repos/a/b/issues", "state=all&per_page=5&labels=a,b&since=2026-01-01T00:00:00Z"),
    ).toEqual([]);
    expect(ofRequest("GET", "/repos/a/b/issues", "stat=all")).toEqual([
      "GET /repos/{owner}/{repo}/issues: query stat is not described",
    ]);
    expect(ofRequest("GET", "/repos/a/b/issues", "state=none")[0]).toContain(
      "query state: must be equal to one of the allowed values",
    );
    expect(ofRequest("POST", "/repos/a/b/issues", "", { title: "T", labels: ["x"] })).toEqual([]);
    expect(ofRequest("POST", "/repos/a/b/issues", "", { titel: "T" })).toEqual([
      "POST /repos/{owner}/{repo}/issues: body/titel is not described",
      expect.stringContaining("must have required property 'title'"),
    ]);
    expect(ofRequest("POST", "/repos/a/b/issues", "")).toEqual([
      "POST /repos/{owner}/{repo}/issues: the body is missing",
    ]);
    expect(ofRequest("DELETE", "/installation/token", "", { x: 1 })).toEqual([
      "DELETE /installation/token: a body is not described",
    ]);
  });
});

describe("the check of answers", () => {
  const label = {
    id: 1,
    node_id: "n",
    url: "http://a/b",
    name: "x",
    description: null,
    color: "ffffff",
    default: false,
  };

  it("takes what is described and errors that may come from anywhere", () => {
    expect(ofAnswer(200, label)).toEqual([]);
    expect(ofAnswer(401, { message: "Bad credentials", documentation_url: "d", status: "401" })).toEqual([]);
    expect(ofAnswer(304, undefined, undefined)).toEqual([]);
  });

  it("finds other statuses, bad bodies, bad formats and missing ones", () => {
    expect(ofAnswer(201, label)[0]).toContain("the status is not described");
    expect(ofAnswer(200, { ...label, color: 3 })[0]).toContain("body/color: must be string");
    expect(ofAnswer(200, { ...label, url: "no address" })[0]).toContain('must match format "uri"');
    expect(
      checkResponse({
        method: "GET",
        path: "/repos/a/b/labels/x",
        status: 200,
        contentType: undefined,
        body: undefined,
      }),
    ).toEqual(["GET /repos/{owner}/{repo}/labels/{name} 200: the described body is missing"]);
    expect(ofAnswer(304, {})[0]).toContain("304 has a body");
  });
});

describe("the check of webhooks", () => {
  it("finds unknown events and payloads that do not fit", () => {
    expect(checkWebhook("issues", { action: "exploded" })).toEqual([
      "issues-exploded is no webhook of GitHub's.",
    ]);
    expect(checkWebhook("issues", { action: "opened" })).toContain(
      'issues-opened: must have required property \'issue\' {"missingProperty":"issue"}',
    );
  });
});

describe("watching", () => {
  it("collects everything that is wrong", () => {
    const watch = watchGitHub();
    watch.observe.request?.({ method: "GET", path: "/nowhere", query: none, body: undefined });
    watch.observe.response?.({
      method: "GET",
      path: "/app",
      status: 200,
      contentType: "application/json",
      body: {},
    });
    watch.observe.webhook?.({ event: "push", payload: {} });
    expect(watch.violations.some((text) => text.startsWith("GET /nowhere"))).toBe(true);
    expect(watch.violations.some((text) => text.startsWith("GET /app 200"))).toBe(true);
    expect(watch.violations.some((text) => text.startsWith("push"))).toBe(true);
    expect([watch.seen.requests, watch.seen.webhooks.get("push")]).toEqual([1, 1]);
  });
});

describe("the extracted operations", () => {
  it("are exactly those that the local GitHub answers", () => {
    const limits = createRateLimits(1, Date.now);
    const hook = { id: 1, url: "", secret: "" };
    const webhooks = createWebhooks({ id: 1, hook }, () => 1, Date.now);
    const emulated = emulatedRoutes("http://127.0.0.1:9");
    const routes = allRoutes({
      tokens: createTokens(),
      webhooks,
      limits,
      manifests: createManifests(),
      emulated,
    });
    const ofRest = routes.map(({ operation }) => operation).filter((one) => one !== "POST /graphql");
    expect(ofRest.toSorted()).toEqual([...operations].toSorted());
  });
});
