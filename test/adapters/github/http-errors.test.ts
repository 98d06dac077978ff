import { describe, expect, it } from "vitest";
import {
  type Asked,
  errorFromAnswer,
  errorWithoutAnswer,
} from "../../../src/adapters/github/client/http-errors.ts";
import type { Headers } from "../../../src/adapters/github/client/rate-limit.ts";
import { NOON } from "./mocked-github.ts";

const WRITE: Asked = { method: "POST", path: "/repos/octo/shop/issues/3/comments", asApp: false };
const READ: Asked = { ...WRITE, method: "GET" };

function of(status: number, options: { asked?: Asked; headers?: Headers; data?: unknown } = {}) {
  const { asked = WRITE, headers = {}, data = { message: "Sorry" } } = options;
  return errorFromAnswer(asked, { status, headers, data }, NOON);
}

describe("an answer in our terms", () => {
  it.each([
    [401, "unauthorized", "tell"],
    [403, "forbidden", "tell"],
    [404, "not_found", "stop"],
    [405, "unsupported", "stop"],
    [409, "conflict", "retry"],
    [410, "not_found", "stop"],
    [422, "invalid", "stop"],
    [451, "invalid", "stop"],
    [429, "rate_limited", "park"],
    [500, "unavailable", "retry"],
    [502, "unavailable", "retry"],
    [503, "unavailable", "retry"],
  ])("%i is %s: %s, with advice", (status, code, consequence) => {
    expect(of(status)).toMatchObject({ code, consequence, status, advice: expect.stringMatching(/\.$/) });
  });

  it("names what was asked, what was answered and each fault that GitHub lists", () => {
    const errors = ["one", { message: "two" }, { resource: "Label", field: "name", code: "already_exists" }];
    expect(of(422, { data: { message: "Validation Failed", errors } }).message).toBe(
      "GitHub answered 422 to POST /repos/octo/shop/issues/3/comments: Validation Failed; one; two; Label name already_exists",
    );
  });

  it("names no query of what was asked, which people would read on the issue", () => {
    const asked = { ...READ, path: "/repos/octo/shop/pulls?state=all&per_page=100" };
    expect(of(503, { asked }).message).toBe("GitHub answered 503 to GET /repos/octo/shop/pulls: Sorry");
    expect(errorWithoutAnswer(asked, "ECONNRESET").message).toBe(
      "No answer to GET /repos/octo/shop/pulls: ECONNRESET",
    );
  });

  it("can be anything, a page of a proxy too", () => {
    expect(of(502, { data: "<html>" }).message).toBe(
      "GitHub answered 502 to POST /repos/octo/shop/issues/3/comments",
    );
  });

  it("leaves open whether a write was carried out only where the server failed", () => {
    expect([500, 502, 504].map((status) => of(status).uncertain)).toEqual([true, true, true]);
    expect([401, 403, 404, 409, 422, 429].some((status) => of(status).uncertain)).toBe(false);
    expect(of(502, { asked: READ }).uncertain).toBe(false);
  });

  it("keeps the time that a 503 asks to wait", () => {
    expect(of(503, { headers: { "retry-after": "30" } }).retryAt).toBe(NOON + 30_000);
  });
});

describe("no answer", () => {
  it("is tried again, and uncertain for a write alone", () => {
    const cause = new Error("read ECONNRESET");
    const lost = errorWithoutAnswer(WRITE, cause.message, cause);
    expect(lost).toMatchObject({
      code: "unavailable",
      status: 0,
      consequence: "retry",
      uncertain: true,
      cause,
    });
    expect(lost.message).toContain("ECONNRESET");
    expect(errorWithoutAnswer(READ, "x").uncertain).toBe(false);
  });
});

describe("a limit", () => {
  const reset = NOON / 1000 + 90;
  it.each<[string, number, Headers, string, number]>([
    ["403 with retry-after", 403, { "retry-after": "17" }, "Sorry", NOON + 17_000],
    ["429 with a date", 429, { "retry-after": new Date(NOON + 5000).toUTCString() }, "Sorry", NOON + 5000],
    [
      "403 with nothing left",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${reset}` },
      "",
      NOON + 90_000,
    ],
    ["403 that says so", 403, {}, "You have exceeded a secondary rate limit.", NOON + 60_000],
    ["429 for a thousand years", 429, { "retry-after": "31536000000" }, "", NOON + 7_200_000],
    ["429 for ever", 429, { "retry-after": "1e999" }, "", NOON + 7_200_000],
    [
      "403 with a window that never ends",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999999" },
      "",
      NOON + 7_200_000,
    ],
    ["429 that says nothing", 429, { "retry-after": "soon" }, "", NOON + 60_000],
    [
      "a reset in the past",
      429,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" },
      "",
      NOON + 60_000,
    ],
  ])("%s parks until the time told, else for a minute", (_name, status, headers, message, retryAt) => {
    const error = of(status, { headers, data: { message } });
    expect(error).toMatchObject({ code: "rate_limited", consequence: "park", retryAt, uncertain: false });
  });

  it("is not what a 403 means while requests are left", () => {
    const headers = { "x-ratelimit-remaining": "4999", "x-ratelimit-reset": `${reset}` };
    expect(of(403, { headers }).code).toBe("forbidden");
  });
});

describe("advice", () => {
  const resource = { data: { message: "Resource not accessible by integration" } };
  it.each([
    ["/repos/o/r/issues/3/comments", /Issues: Read and write/],
    ["/repos/o/r/labels", /Issues: Read and write/],
    ["/repos/o/r/pulls?state=all", /Pull requests: Read and write/],
    ["/repos/o/r/git/refs", /Contents: Read and write/],
    ["/app/installations/5/access_tokens", /app\.yml/],
    ["/repos/o/r", /Metadata/],
  ])("for a 403 at %s names the permission to grant", (path, advice) => {
    expect(of(403, { asked: { ...WRITE, path }, ...resource }).advice).toMatch(advice);
  });

  it("names the permissions that GitHub itself says it would accept", () => {
    const headers = { "x-accepted-github-permissions": "issues=write; pull_requests=write" };
    expect(of(403, { headers, ...resource }).advice).toContain("issues=write; pull_requests=write");
  });

  it.each([
    ["Repository was archived so is read-only.", /unarchive/],
    ["Unable to create comment because issue is locked.", /unlock/],
    ["This installation has been suspended", /unsuspend/],
  ])("for %j is about that", (message, advice) => {
    expect(of(403, { data: { message } }).advice).toMatch(advice);
  });

  it("for a 401 tells the App's key from an installation's token", () => {
    expect(of(401, { asked: { ...WRITE, asApp: true } }).advice).toMatch(/PRIVATE_KEY/);
    expect(of(401).advice).toMatch(/installed/);
  });
});
