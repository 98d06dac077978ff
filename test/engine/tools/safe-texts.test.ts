import { describe, expect, it } from "vitest";
import { safeHost } from "../../../src/engine/sessions/safe-host.ts";
import { TOOL_NAMES, toolsFor } from "../../../src/engine/tools/catalog.ts";
import { proved } from "../../proved.ts";
import { recordingHost } from "./recording-host.ts";
import { TOOL_USES } from "./tool-uses.ts";

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

/** Every text that an agent can put into a tool. A new one is listed here, or the test fails. */
const TEXTS: Readonly<Record<string, keyof typeof AS>> = {
  "submit_plan.plan": "seen",
  "report_blocked.reason": "markdown",
  "report_complete.summary": "markdown",
  "request_review.summary": "markdown",
  "escalate_to_human.reason": "markdown",
  "escalate_to_human.category": "seen",
  "escalate_to_human.question": "markdown",
  "ask_human.question": "markdown",
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
  "comment.body": "markdown",
  "label.name": "seen",
  "create_blocker_issue.title": "title",
  "create_blocker_issue.body": "markdown",
  "create_blocker_issue.labels": "seen",
  "submit_verdict.body": "markdown",
  "submit_verdict.comments.path": "raw",
  "submit_verdict.comments.body": "markdown",
  "submit_verdict.evidence": "raw",
  "create_sub_issue.title": "title",
  "create_sub_issue.body": "markdown",
  // Compared with the names that there are.
  "create_sub_issue.role": "raw",
  "rescope_task.reason": "markdown",
  "supersede_task.reason": "markdown",
  "submit_evaluation.reason": "markdown",
};

/** Takes nothing but what its pattern allows: a number, a login, a commit. */
const BOUND = [
  "report_blocked.blocker_issue",
  "ask_human.who",
  "ask_human.deadline",
  "submit_verdict.commit",
];

interface Schema {
  readonly type?: string;
  readonly enum?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Paths of all arguments that are texts. */
function textsOf(schema: Schema, path: string): readonly string[] {
  if (schema.type === "string") return schema.enum === undefined ? [path] : [];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : textsOf(schema.items, path)),
    ...(schema.anyOf ?? []).flatMap((inner) => textsOf(inner, path)),
  ];
}

/** The arguments with this one of them poisoned. */
function poisoned(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((one: unknown) => poisoned(one, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return typeof value === "string" ? POISON : value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: poisoned(Reflect.get(value, name), rest) };
}

async function heard(
  tool: string,
  args: unknown,
): Promise<{ readonly text: string; readonly answer: string }> {
  const { host, asked } = recordingHost();
  const [made] = toolsFor([tool], safeHost(host, SPEAKER));
  const answer = await made?.call(args, { toolCallId: "c", signal: new AbortController().signal });
  return { text: JSON.stringify(asked), answer: answer?.text ?? "" };
}

describe("a text of an agent", () => {
  it("is known, whichever tool takes it", () => {
    const tools = toolsFor(TOOL_NAMES, recordingHost().host);
    const found = tools.flatMap(({ name, parameters }) => textsOf(parameters, name));
    expect([...new Set(found)].toSorted()).toEqual([...Object.keys(TEXTS), ...BOUND].toSorted());
  });

  it.each(Object.entries(TEXTS))("as %s arrives as %s", async (path, as) => {
    const [tool = "", ...field] = path.split(".");
    const calls = TOOL_USES.filter(([name]) => name === tool).map(([, args]) => poisoned(args, field));
    const [args] = calls.filter((given) => JSON.stringify(given).includes("@victim"));
    expect(args).toBeDefined();
    const { text } = await heard(tool, args);
    expect(text).toContain(JSON.stringify(AS[as]).slice(1, -1));
    expect(text.includes("\u200b")).toBe(as === "raw");
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

  it("is refused by every tool, with a word why, and nothing is done", async () => {
    let refused = 0;
    for (const [tool, args] of TOOL_USES)
      for (const [name, value] of Object.entries(PLACES)) {
        const { text, answer } = await heard(tool, { ...args, [name]: value });
        expect(text).toBe("[]");
        expect(answer).toContain(`${tool} did nothing`);
        expect(answer).toContain(name);
        refused += 1;
      }
    proved({
      promise: "No tool of an agent takes another repository, issue, pull request or branch as its target",
      test: "test/engine/tools/safe-texts.test.ts",
      figure: `${refused} of ${TOOL_USES.length * Object.keys(PLACES).length} calls refused`,
    });
  });
});
