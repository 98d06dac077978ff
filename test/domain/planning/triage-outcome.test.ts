import { describe, expect, it } from "vitest";
import {
  type TriageArguments,
  type TriageLabels,
  type TriageReference,
  triageComment,
  triageOutcome,
} from "../../../src/domain/planning/triage-outcome.ts";

const OWN = 7;
const because = { reason: "Both export the same report." } as const;
const open: TriageReference = { state: "open", isPullRequest: false };

function comment(
  given: Omit<TriageArguments, "reason">,
  about: TriageReference | null = null,
  labels: TriageLabels = { suggested: [] },
) {
  const found = triageOutcome({ ...because, ...given }, OWN);
  if ("fault" in found) throw new Error(found.fault);
  return triageComment(found, about, labels);
}

describe("the outcome of triage", () => {
  it.each([
    [{ outcome: "duplicate_of" }, "needs `number`"],
    [{ outcome: "being_done_in" }, "needs `number`"],
    [{ outcome: "duplicate_of", number: OWN }, "is your own issue"],
    [{ outcome: "belongs_elsewhere" }, "needs `where`"],
    [{ outcome: "needs_information" }, "needs `questions`"],
    [{ outcome: "ready", size: "small" }, "needs `labels`"],
    [{ outcome: "ready", labels: ["bug"] }, "and `size`"],
  ] as const)("%j is sent back with what is missing", (given, words) => {
    expect(triageOutcome({ ...because, ...given }, OWN)).toEqual({ fault: expect.stringContaining(words) });
  });

  it("names the other issue, how it is now, and what a person can do", () => {
    const text = comment({ outcome: "duplicate_of", number: 3 }, open);
    expect(text).toContain("**Triage: this looks like a duplicate of #3** (issue, open).\n\nBoth export");
    expect(text).toContain("Next: compare it with #3.");
  });

  it("names the pull request in which it is being done", () => {
    const text = comment({ outcome: "being_done_in", number: 4 }, { state: "closed", isPullRequest: true });
    expect(text).toContain("this seems to be done in #4** (pull request, closed)");
    expect(text).toContain("Next: look at #4.");
    expect(comment({ outcome: "being_done_in", number: 4 })).toContain("done in #4**.");
  });

  it("says where it belongs", () => {
    const text = comment({ outcome: "belongs_elsewhere", where: "the repository of the website" });
    expect(text).toContain("Where: the repository of the website");
    expect(text).toContain("Next: if you agree, move or open the issue there");
  });

  it("asks each question on a line", () => {
    const text = comment({ outcome: "needs_information", questions: ["Which page?", "How long?"] });
    expect(text).toContain("1. Which page?\n2. How long?");
    expect(text).toContain("Next: answer the questions here.");
  });

  it("suggests labels, tells of those that were put, and of those that are gone", () => {
    const given = { outcome: "ready", labels: ["bug", "a`b"], size: "small" } as const;
    const suggested = comment(given, null, { suggested: ["Bug", "a`b"] });
    expect(suggested).toContain("Size: small.**\n\nSuggested labels: `Bug`, `a'b`\n\nBoth export");
    expect(suggested).toContain("Next: add a label that starts the work");
    const put = comment(given, null, { put: ["Bug"], gone: ["a`b"] });
    expect(put).toContain(
      "Labels added: `Bug`\n\nNo longer in the repository, so left out: `a'b`\n\nBoth export",
    );
    expect(put).toContain("Next: nothing, if the labels are right.");
    const gone = comment(given, null, { put: [], gone: ["Bug"] });
    expect(gone).not.toContain("Labels added");
    expect(gone).toContain("Next: add a label");
    expect(comment({ ...given, labels: [] })).not.toMatch(/Labels added|Suggested|left out/);
  });
});
