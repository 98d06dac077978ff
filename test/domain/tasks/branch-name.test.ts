import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchIssue, parseBranch, printBranch } from "../../../src/domain/tasks/branch-name.ts";

const DEFAULT = "flotilla/{role}/issue-{number}";

describe("branch name", () => {
  it.each([DEFAULT, "{role}/{number}", "issue-{number}/{role}", "a.b/{role}-{number}/{role}"])(
    "of the pattern %s is read back as it was printed",
    (pattern) => {
      const branch = fc.record({
        role: fc.stringMatching(/^[a-z]+(-[a-z]+){0,2}$/),
        number: fc.integer({ min: 1, max: 1_000_000_000 }),
        attempt: fc.integer({ min: 1, max: 99 }),
      });
      fc.assert(
        fc.property(branch, (given) => {
          expect(parseBranch(pattern, printBranch(pattern, given))).toEqual(given);
        }),
      );
    },
  );

  it("is as people will see it", () => {
    expect(printBranch(DEFAULT, { role: "feat-dev", number: 42, attempt: 1 })).toBe(
      "flotilla/feat-dev/issue-42",
    );
    expect(printBranch(DEFAULT, { role: "feat-dev", number: 42, attempt: 3 })).toBe(
      "flotilla/feat-dev/issue-42-3",
    );
    expect(branchIssue(DEFAULT, "flotilla/feat-dev/issue-42-3")).toBe(42);
  });

  it.each([
    "main",
    "flotilla/feat-dev/issue-",
    "flotilla/feat-dev/issue-0",
    "flotilla/feat-dev/issue-042",
    "flotilla/feat-dev/issue-42-1",
    "flotilla/feat-dev/issue-42-02",
    "flotilla/feat-dev/issue-42-fix",
    "flotilla/feat-dev/issue-42/more",
    "flotilla/a/b/issue-42",
    "flotilla//issue-42",
    "my/flotilla/feat-dev/issue-42",
    "Flotilla/feat-dev/issue-42",
    "flotilla/feat-dev/issue-99999999999999999999",
  ])("is not %s", (name) => {
    expect(parseBranch(DEFAULT, name)).toBeUndefined();
    expect(branchIssue(DEFAULT, name)).toBeUndefined();
  });

  it("takes the pattern's own characters as they are", () => {
    expect(branchIssue("a.b/{role}/{number}", "axb/role/1")).toBeUndefined();
    expect(branchIssue("{role}-{number}/{role}", "dev-1/docs")).toBeUndefined();
  });
});
