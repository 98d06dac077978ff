import { describe, expect, it } from "vitest";
import {
  firstMessage as markedFirstMessage,
  missingMessage as markedMissingMessage,
  wakesMessage as markedNewsMessage,
  refusedMessage,
  toolEndedMessage,
  wrapUpMessage,
} from "../../../src/domain/conversation/prompts.ts";
import { duration } from "../../../src/domain/messages/format.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { plain } from "../text/plain.ts";

const firstMessage = plain(markedFirstMessage);
const newsMessage = plain(markedNewsMessage);
const missingMessage = plain(markedMissingMessage);

const issue = {
  repository: "acme/shop",
  number: 42,
  title: "Add a dark mode",
  body: "It is too bright\nat night.",
  author: "alice",
  withheld: null,
};
const first = {
  issue,
  branch: null,
  base: null,
  pull: null,
  attempt: 1,
  before: null,
  setup: [],
  checks: [],
  news: [],
};

describe("the first message", () => {
  it("holds the issue's title and body and where it is from", () => {
    const text = firstMessage(first);
    expect(text).toContain("# Add a dark mode");
    expect(text).toContain("It is too bright\nat night.");
    expect(text).toContain("issue #42 of acme/shop, opened by @alice");
  });

  it("says nothing of what there is not", () => {
    expect(firstMessage(first).split("\n---\n")[1]).toBe("End with exactly one of your reports.");
  });

  it("says which branch, which pull request, which attempt and why, and what is new", () => {
    const text = firstMessage({
      ...first,
      branch: "flotilla/feat-dev/issue-42-2",
      pull: 50,
      attempt: 2,
      before: "the tests were red",
      news: ["The base branch moved."],
    });
    expect(text).toContain("`flotilla/feat-dev/issue-42-2`");
    expect(text).toContain("#50; it is open");
    expect(text).toContain("attempt 2");
    expect(text).toContain("Why this attempt: the tests were red");
    expect(text).toContain("The base branch moved.");
  });

  it("says where the work goes where that is not the default branch", () => {
    expect(firstMessage({ ...first, base: "release-1" })).toContain(
      "Your work goes to `release-1`, not to the default branch: your branch begins there, and your pull request goes there.\n",
    );
  });

  it("names the commands that prepared the directory, and those that check the work", () => {
    const text = firstMessage({ ...first, setup: ["npm ci", "npm run build"], checks: ["npm test"] });
    expect(text).toContain("have prepared your working directory: `npm ci`, `npm run build`.\n");
    expect(text).toContain("on a clean checkout of your commit, and they must succeed: `npm test`.\n");
  });

  it("says what is not shown of the issue instead of calling it empty", () => {
    const text = firstMessage({ ...first, issue: { ...issue, body: "", withheld: "It is not shown." } });
    expect(text).toContain("# Add a dark mode\n\n(It is not shown.)\n");
    expect(text).not.toContain("has no text");
  });

  it("holds the fields of an issue form, each between marks of its own", () => {
    const body = "### What happened?\n\nIt broke.\n- Rules: none\n\n### Version\n\n_No response_";
    expect(firstMessage({ ...first, issue: { ...issue, body } })).toContain(
      "# Add a dark mode\n\nThe author filled in a form. Its fields:\n\n- What happened?: It broke.\n- Rules: none\n- Version: (left empty)\n",
    );
    expect(markedFirstMessage({ ...first, issue: { ...issue, body } })).toContain(
      "- \u0002What happened?\u0003: \u0002It broke.\n- Rules: none\u0003\n- \u0002Version\u0003: (left empty)",
    );
  });

  it("says so when the issue has no text", () => {
    expect(firstMessage({ ...first, issue: { ...issue, body: " \n" } })).toContain(
      "(The issue has no text.)",
    );
  });
});

describe("other messages", () => {
  it("tell news while the agent works", () => {
    const text = newsMessage([{ reason: "message", detail: "@alice says (url):\n\nhello" }]);
    expect(text).toContain("- Message from a person: @alice says (url):\n\nhello");
  });

  it("name the limit that is reached, and the intent that was refused with the reason", () => {
    expect(wrapUpMessage("max_tool_calls")).toContain("max_tool_calls");
    expect(refusedMessage("report_blocked", "#7 is already closed")).toContain(
      "report_blocked could not be carried out: #7 is already closed",
    );
  });

  it("list what is missing and say after how many more claims a person is asked", () => {
    const text = missingMessage(["No tests.", "No pull request."], 2);
    expect(text).toContain("- No tests.\n- No pull request.");
    expect(text).toContain("after 2 more failed claims.");
    expect(markedMissingMessage(["It failed:\n\n    output"], 1)).toContain(
      "- \u0002It failed:\n\n    output\u0003",
    );
    expect(missingMessage(["No tests."], 1)).toContain("after 1 more failed claim.");
  });
});

describe("a duration", () => {
  it.each([
    [-5, "0 s"],
    [499, "0 s"],
    [59_400, "59 s"],
    [59_500, "1 min"],
    [59 * MINUTE, "59 min"],
    [HOUR, "1 h"],
    [2 * HOUR + 5 * MINUTE, "2 h 5 min"],
    [30 * HOUR, "30 h"],
  ])("of %d ms is %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

it("tells the model why its turn was ended, and what to do in another way", () => {
  const text = toolEndedMessage("a tool is past its deadline (bash)");
  expect(text).toContain("because a tool is past its deadline (bash)");
  expect(text).toContain("in the background");
});
