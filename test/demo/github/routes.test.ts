import { describe, expect, it } from "vitest";
import { closingWords } from "../../../src/demo/github/acts/closing-words.ts";
import { ok } from "../../../src/demo/github/http/answer.ts";
import { moved } from "../../../src/demo/github/http/git-front.ts";
import { createRouter, repositoryRoute } from "../../../src/demo/github/http/route.ts";

describe("closing words", () => {
  it("are GitHub's nine, for this repository, each number once", () => {
    const text =
      "Close #1, closes #2 closed: #3. Fix #4 fixes #5 FIXED #6 resolve #7 resolves #8 resolved #9, fixes #9";
    expect(closingWords(text, "acme/app")).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(
      closingWords("Fixes acme/app#1, fixes acme/lib#2, see #3, prefixes #4, fixes 5", "acme/app"),
    ).toEqual([1]);
  });
});

describe("the router", () => {
  const find = createRouter(
    ["GET /repos/{owner}/{repo}/commits/{ref}", "GET /repos/{owner}/{repo}/commits/{ref}/status"].map(
      (operation) => repositoryRoute(operation, "contents:read", () => ok({})),
    ),
  );

  it("prefers the route with more literal segments, and decodes the parameters", () => {
    const status = find("GET", "/repos/a/b/commits/feature%2Fx/status");
    expect([status?.route.operation, status?.params["ref"]]).toEqual([
      "GET /repos/{owner}/{repo}/commits/{ref}/status",
      "feature/x",
    ]);
    expect(find("GET", "/repos/a/b/commits/feature/x")?.params["ref"]).toBe("feature/x");
    expect(find("POST", "/repos/a/b/commits/x")).toBeUndefined();
    expect(find("GET", "/repos/a/b/commits/%zz")?.params["ref"]).toBe("%zz");
  });
});

describe("moved refs", () => {
  it("are those that differ between two readings", () => {
    const zero = "0".repeat(40);
    const before = new Map([
      ["refs/heads/a", "1"],
      ["refs/heads/b", "2"],
      ["refs/heads/same", "3"],
    ]);
    const after = new Map([
      ["refs/heads/a", "9"],
      ["refs/heads/c", "4"],
      ["refs/heads/same", "3"],
    ]);
    expect(moved(before, after)).toEqual([
      { ref: "refs/heads/a", before: "1", after: "9" },
      { ref: "refs/heads/b", before: "2", after: zero },
      { ref: "refs/heads/c", before: zero, after: "4" },
    ]);
  });
});
