import { expect, it } from "vitest";
import { pauseLift, pauseText, repositoryScope } from "../../../src/domain/breakers/scope.ts";

it("says what is paused, by whom and why", () => {
  expect(pauseText({ scope: "all", holder: "person", by: "alice", reason: "too dear" })).toBe(
    "everything is paused by alice: too dear",
  );
  expect(pauseText({ scope: repositoryScope(7), holder: "incident", by: "flotilla", reason: null })).toBe(
    "this repository is paused by an incident",
  );
  expect(pauseText({ scope: repositoryScope(7), holder: "suspended", by: "@alice", reason: null })).toBe(
    "the App's installation was suspended by @alice",
  );
  expect(pauseText({ scope: "all", holder: "file", by: "operator:file", reason: null })).toBe(
    "the file PAUSE in the data directory holds all agents",
  );
  expect(pauseText({ scope: repositoryScope(7), holder: "archived", by: "@alice", reason: null })).toBe(
    "the repository was archived by @alice",
  );
});

it("says what lifts it", () => {
  expect(pauseLift({ scope: "all", holder: "person" })).toContain("flotilla resume --all");
  expect(pauseLift({ scope: repositoryScope(7), holder: "person" })).toContain("flotilla resume --repo");
  expect(pauseLift({ scope: "all", holder: "file" })).toBe("remove it to let them continue");
  expect(pauseLift({ scope: "all", holder: "incident" })).toContain("incident");
  expect(pauseLift({ scope: repositoryScope(7), holder: "suspended" })).toContain("is unsuspended");
  expect(pauseLift({ scope: repositoryScope(7), holder: "archived" })).toContain("is unarchived");
});
