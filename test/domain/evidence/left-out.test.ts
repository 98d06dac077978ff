import { describe, expect, it } from "vitest";
import { leftOutSentence, whyLeftOut } from "../../../src/domain/evidence/left-out.ts";

describe("what a commit leaves out", () => {
  it.each([".GIT/f", "a/git~1", "a/.git /f", "b/.git.../f", "c\\.git/f", "d/.git::x/f"])(
    "%j has a name that git refuses",
    (path) => {
      expect(whyLeftOut(path)).toMatch(/^git refuses a name/);
    },
  );

  it.each([".gitignore", "a/.gitx/f", "git~2/f", ".git ~1/f", "x.git/f"])("%j has none", (path) => {
    expect(whyLeftOut(path)).toBeNull();
  });

  it("is named with its reason, at most ten of it", () => {
    expect(leftOutSentence([])).toBe("");
    const one = leftOutSentence(["lib/", "odd\nname"]);
    expect(one).toBe(
      'No commit can hold these, so they were left out: "lib/" (another repository within this one), "odd\\nname" (git refuses its name). Rename or delete them.',
    );
    expect(leftOutSentence(Array.from({ length: 12 }, (_, at) => `${at}/`))).toMatch(
      /"9\/" \([^)]*\), and 2 more\. /,
    );
  });
});
