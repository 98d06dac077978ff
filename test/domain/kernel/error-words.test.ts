import { expect, it } from "vitest";
import { errorWords } from "../../../src/domain/kernel/error-words.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";

const options = { consequence: "tell", cause: new Error("HTTP 403") } as const;

it.each([
  ["a text", "a text"],
  [new TypeError("x is undefined"), "TypeError: x is undefined"],
  [new TypeError("fetch failed", { cause: new Error("refused") }), "TypeError: fetch failed (refused)"],
  [new Error("no", { cause: "none" }), "Error: no"],
  [new GitHubError("forbidden", "no right", 403, options), "GitHubError: no right"],
  [
    new GitHubError("forbidden", "no right", 403, { ...options, advice: "Give it." }),
    "GitHubError: no right Give it.",
  ],
])("says of %s: %s", (error, words) => {
  expect(errorWords(error)).toBe(words);
});
