import { expect, it } from "vitest";
import { pauseLift, pauseText, repositoryScope } from "../../src/core/scope.ts";

it("says what is paused, by whom and why", () => {
  expect(pauseText({ scope: "all", holder: "person", by: "alice", reason: "too dear" })).toBe(
    "everything is paused by alice: too dear",
  );
  expect(pauseText({ scope: repositoryScope(7), holder: "incident", by: "flotilla", reason: null })).toBe(
    "this repository is paused by an incident",
  );
});

it("says what lifts it", () => {
  expect(pauseLift({ scope: "all", holder: "person" })).toContain("flotilla resume --all");
  expect(pauseLift({ scope: repositoryScope(7), holder: "person" })).toContain("flotilla resume --repo");
  expect(pauseLift({ scope: "all", holder: "incident" })).toContain("incident");
});
