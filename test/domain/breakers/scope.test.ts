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
  const byFile = { scope: "all", holder: "file", by: "operator:file" } as const;
  expect(pauseText({ ...byFile, reason: "the files PAUSE and ABORT" })).toBe(
    "all agents are held by the files PAUSE and ABORT in the data directory",
  );
  expect(pauseText({ ...byFile, reason: null })).toBe("all agents are held by a file in the data directory");
  expect(pauseText({ scope: repositoryScope(7), holder: "archived", by: "@alice", reason: null })).toBe(
    "the repository was archived by @alice",
  );
});

it("says what lifts it", () => {
  expect(pauseLift({ scope: "all", holder: "person", reason: null })).toContain("flotilla resume --all");
  expect(pauseLift({ scope: repositoryScope(7), holder: "person", reason: null })).toContain(
    "flotilla resume --repo",
  );
  expect(pauseLift({ scope: "all", holder: "file", reason: "the file ABORT" })).toBe(
    "remove the file ABORT from the data directory to let them continue",
  );
  expect(pauseLift({ scope: "all", holder: "file", reason: null })).toBe(
    "remove the file from the data directory to let them continue",
  );
  expect(pauseLift({ scope: "all", holder: "incident", reason: null })).toContain("incident");
  expect(pauseLift({ scope: repositoryScope(7), holder: "suspended", reason: null })).toContain(
    "is unsuspended",
  );
  expect(pauseLift({ scope: repositoryScope(7), holder: "archived", reason: null })).toContain(
    "is unarchived",
  );
});
