import { expect, it } from "vitest";
import { sanitizers } from "../../../src/domain/safe-text/sanitizers.ts";

const SPEAKER = { site: "https://github.com", issue: 42 };
const { markdown, pullBody, pullTitle, commitMessage, issueTitle, name, names, visible, exact } = sanitizers;

it("the pull request of an agent closes its own issue, and no comment of its does", () => {
  const body = "Closes #42";
  expect(pullBody(body, SPEAKER)).toBe(body);
  expect(pullTitle(body, SPEAKER)).toBe(body);
  expect(commitMessage(body, SPEAKER)).toBe(body);
  expect(markdown(body, SPEAKER)).toBe("Closes `#42`");
  expect(issueTitle(body)).toBe("Closes issue 42");
});

it("the text of a pull request leaves room for the host's facts", () => {
  expect(pullBody("a ".repeat(30_000), SPEAKER).length).toBeLessThanOrEqual(40_000);
});

it("labels and names are one line without what nobody sees", () => {
  expect(name(" flot\u200billa:\n x ")).toBe("flotilla: x");
  expect(names(["a\u200b", "b"])).toEqual(["a", "b"]);
});

it("what only models read is as people would see it", () => {
  expect(visible("a\u200b @bob")).toBe("a @bob");
});

it("what is compared stays as it is", () => {
  expect(exact("@a/b\u200b.ts")).toBe("@a/b\u200b.ts");
});
