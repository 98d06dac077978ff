import { expect, test } from "vitest";
import { pullRequestBody } from "../../../src/domain/tasks/pull-request-body.ts";

test("the issue is named once, at the end, when the agent's words do not close it", () => {
  expect(pullRequestBody("  Adds a dark mode.\n", 42)).toBe("Adds a dark mode.\n\nCloses #42");
  expect(pullRequestBody(" ", 42)).toBe("Closes #42");
});

test.each(["Closes #42", "This fixes #42.", "resolved #42", "CLOSED  #42"])(
  "words that close the issue, like %j, are left as they are",
  (words) => {
    expect(pullRequestBody(words, 42)).toBe(words);
  },
);

test.each(["Closes #421", "Closes #4", "see #42", "encloses #42", "Closes acme/shop#42"])(
  "words that do not, like %j, get the line",
  (words) => {
    expect(pullRequestBody(words, 42)).toBe(`${words}\n\nCloses #42`);
  },
);
