import { describe, expect, it } from "vitest";
import { closesIssue } from "../../src/webhooks/pulls-of-issue.ts";

const REPOSITORY = { owner: "octo", name: "shop.js" };

describe("closing words", () => {
  it.each([
    "close #7",
    "Closes #7.",
    "closed: #7",
    "This FIXES #7, and more",
    "fix #7",
    "fixed octo/shop.js#7",
    "resolve Octo/Shop.js#7",
    "Resolves https://github.test/octo/shop.js/issues/7",
    "two lines\r\n\r\nresolved\n#7",
  ])("close the issue: %j", (text) => {
    expect(closesIssue(text, REPOSITORY, 7)).toBe(true);
  });

  it.each([
    "#7",
    "see #7",
    "fixes #70",
    "fixes #17",
    "fixes 7",
    "fixes: 1, #7",
    "prefix #7",
    "hot-fix #7",
    "fixing #7",
    "fixes other/shop.js#7",
    "fixes octo/shopxjs#7",
    "fixes https://github.test/octo/shop.js/pull/7",
    "<!-- write: fixes #7 --> nothing",
    "<!-- unclosed fixes #7",
    "",
  ])("do not close it: %j", (text) => {
    expect(closesIssue(text, REPOSITORY, 7)).toBe(false);
  });
});
