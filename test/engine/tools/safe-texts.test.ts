import { describe, expect, it } from "vitest";
import { TOOLS } from "../../../src/engine/tools/catalog.ts";
import type { Tool } from "../../../src/engine/tools/define-tool.ts";
import { proved } from "../../proved.ts";
import { BOUND, sampleOf, textsOf } from "./sample-arguments.ts";

const SPEAKER = { site: "https://github.com", issue: 42 };
const POISON = "a\u200b @victim fixes #9, closes #42";

/** What becomes of a text, by what it is for; a name or code is shown as code, and words to the model are shown to nobody. */
const AS = {
  markdown: "a `@victim` fixes `#9`, closes `#42`",
  "pull request": "a `@victim` fixes `#9`, closes #42",
  message: "a @ victim fixes issue 9, closes #42",
  title: "a @ victim fixes issue 9, closes issue 42",
  seen: "a @victim fixes #9, closes #42",
  raw: POISON,
} as const;

/** Texts of agents that are not made safe as Markdown. Any other that a tool takes is. */
const OTHERWISE: Readonly<Record<string, keyof typeof AS>> = {
  "submit_plan.plan": "seen",
  "escalate_to_human.category": "seen",
  "ask_human.options": "seen",
  "ask_human.options.label": "seen",
  "ask_human.recommended": "seen",
  "ask_human.default": "seen",
  "write_handoff.summary": "seen",
  "write_handoff.next_action": "seen",
  "commit.message": "message",
  "restore_files.paths": "raw",
  "open_pr.title": "message",
  "open_pr.body": "pull request",
  "label.name": "seen",
  "create_blocker_issue.title": "title",
  "create_blocker_issue.labels": "seen",
  "search_issues.query": "seen",
  "submit_triage.labels": "seen",
  "submit_verdict.comments.path": "raw",
  "submit_verdict.evidence": "raw",
  "create_sub_issue.title": "title",
  // Refused unless it is safe as it stands.
  "propose_lesson.line": "raw",
  "propose_lesson.citation": "raw",
  // Compared with the names that there are.
  "create_sub_issue.role": "raw",
};

/** The value at the path, of whichever alternative has it; a list of all where there is a list. */
function at(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => at(one, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return typeof value === "string" ? [value] : [];
  return typeof value === "object" && value !== null ? at(Reflect.get(value, name), rest) : [];
}

const argumentsOf = ({ name, parameters }: Tool, choice = 0) => sampleOf(parameters, name, POISON, choice);

/** Every text that an agent can put into a tool, but for those bound by a pattern. */
const TEXTS = TOOLS.flatMap((tool) =>
  [...new Set(textsOf(tool.parameters, tool.name))]
    .filter((path) => BOUND[path] === undefined)
    .map((path) => [path, OTHERWISE[path] ?? "markdown", tool] as const),
);

describe("a text of an agent", () => {
  it.each(TEXTS)("as %s arrives as %s", (path, as, tool) => {
    const [, ...field] = path.split(".");
    const arrived = [0, 1].flatMap((choice) => {
      const read = tool.read(argumentsOf(tool, choice), SPEAKER);
      if ("fault" in read) throw new Error(read.fault);
      return at(read.args, field);
    });
    expect([...new Set(arrived)]).toEqual([AS[as]]);
  });

  it("is listed only where there is one", () => {
    const paths = TOOLS.flatMap(({ name, parameters }) => textsOf(parameters, name));
    expect(
      [...Object.keys(OTHERWISE), ...Object.keys(BOUND)].filter((path) => !paths.includes(path)),
    ).toEqual([]);
  });
});

describe("an argument that names a place", () => {
  const PLACES = {
    repository: "other/repo",
    owner: "other",
    repo: "repo",
    issue_number: 7,
    pull_number: 7,
    branch: "main",
    target: "other/repo#7",
  };

  it("is refused by every tool, with a word why, and nothing is done", () => {
    let refused = 0;
    for (const tool of TOOLS)
      for (const [name, value] of Object.entries(PLACES)) {
        const read = tool.read(Object.assign({ [name]: value }, argumentsOf(tool)), SPEAKER);
        const fault = "fault" in read ? read.fault : "";
        expect(fault).toContain(`${tool.name} did nothing`);
        expect(fault).toContain(name);
        refused += 1;
      }
    proved({
      promise: "No tool of an agent takes another repository, issue, pull request or branch as its target",
      test: "test/engine/tools/safe-texts.test.ts",
      figure: `${refused} of ${TOOLS.length * Object.keys(PLACES).length} calls refused`,
    });
  });
});

describe("a text without a visible character", () => {
  it.each([
    ["comment", { body: "\u200b\u2060" }, "body"],
    ["comment", { body: "\u2800 \u0301\n" }, "body"],
    ["label", { name: "\u200b" }, "name"],
    ["open_pr", { title: "\u2060", body: "why" }, "title"],
    ["escalate_to_human", { reason: "\u200b", category: "unclear", question: "which?" }, "reason"],
    ["create_blocker_issue", { title: "a", body: "b", labels: ["ok", "\u200b"] }, "labels"],
  ])("is refused by %s with %j", (name, args, argument) => {
    expect(TOOLS.find((tool) => tool.name === name)?.read(args, SPEAKER)).toEqual({
      fault: `${name} did nothing. ${argument}: holds nothing that can be seen; write a text.`,
    });
  });

  it("is not one with other characters beside the invisible ones", () => {
    const read = TOOLS.find((tool) => tool.name === "comment")?.read({ body: "\u200ba" }, SPEAKER);
    expect(read).toEqual({ args: { body: "a" } });
  });
});
