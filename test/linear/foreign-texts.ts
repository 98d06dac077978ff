import { classifyGitError } from "../../src/adapters/git/process/classify-git-error.ts";
import { unquoted } from "../../src/adapters/git/process/quoted-path.ts";
import { builtinTools } from "../../src/adapters/runtimes/copilot/builtin-tools.ts";
import { toModelError } from "../../src/adapters/runtimes/copilot/model-error.ts";
import { retryAfterMs } from "../../src/adapters/runtimes/gateway/retry-after.ts";
import { readFrontMatter } from "../../src/config/front-matter.ts";
import { readForeignYaml } from "../../src/config/yaml-text.ts";
import { redactor, settledLength } from "../../src/domain/access/redact.ts";
import { riskOf } from "../../src/domain/access/risk.ts";
import { readBlockedByLines } from "../../src/domain/blockers/blocked-by-lines.ts";
import { failureFingerprint } from "../../src/domain/breakers/incident.ts";
import { excerptOf } from "../../src/domain/checks/check-failure.ts";
import { commaFault, readAmounts } from "../../src/domain/commands/budget-words.ts";
import { readComment } from "../../src/domain/commands/command.ts";
import { triedFault } from "../../src/domain/commands/tried-command.ts";
import { issueEdit } from "../../src/domain/conversation/issue-edit.ts";
import { formFields } from "../../src/domain/conversation/issue-form.ts";
import { protectedAmong } from "../../src/domain/evidence/protected-paths.ts";
import { weakenedTests } from "../../src/domain/evidence/weakened-tests.ts";
import { readApplyTo } from "../../src/domain/instructions/apply-to.ts";
import { missingOfTemplate } from "../../src/domain/instructions/pull-template.ts";
import { touchedPaths } from "../../src/domain/instructions/touched-paths.ts";
import { fenced } from "../../src/domain/messages/format.ts";
import { inlineCode } from "../../src/domain/messages/inline-code.ts";
import { parseMarker, withMarker } from "../../src/domain/messages/marker.ts";
import { printableLine } from "../../src/domain/messages/printable.ts";
import { visibleText } from "../../src/domain/messages/visible-text.ts";
import { readPlanComment } from "../../src/domain/planning/plan-comment.ts";
import { fold } from "../../src/domain/questions/question.ts";
import { linesShown } from "../../src/domain/review/diff-lines.ts";
import { citedAmong } from "../../src/domain/review/evidence-cited.ts";
import { safeLine } from "../../src/domain/safe-text/inline.ts";
import { safeMarkdown } from "../../src/domain/safe-text/safe-markdown.ts";
import { safePlain, safeTitle } from "../../src/domain/safe-text/safe-plain.ts";
import { commitMessage } from "../../src/domain/tasks/commit-message.ts";
import { bodyWithFacts } from "../../src/domain/tasks/pull-facts.ts";
import { parseReverts } from "../../src/domain/tasks/reverts.ts";
import { closesIssue } from "../../src/webhooks/pulls-of-issue.ts";
import { atOnce } from "../domain/evidence/changed-tests.ts";

const reach = { site: "https://github.com", closes: 1 };
const protectedPaths = [".github/workflows/**", "**/*lock*", "**/*a*a*a.b", "CODEOWNERS"];
const place = { worktree: "/data/wt/a", protectedPaths };
const redact = redactor(["c0ffee1234Ab9d8e7F6a5b4c"]);
const facts = {
  issue: 1,
  base: null,
  askedBy: null,
  isChecked: false,
  role: "dev",
  commit: null,
  files: null,
  protectedFiles: [],
  instructions: [],
  repository: "acme/shop",
  pictures: [],
  tests: null,
  screens: [],
  commands: [],
  costMicroUsd: 0,
  turns: 0,
  runtimes: [],
  models: [],
  run: "a/1",
  page: null,
};

const bash = (command: string) => riskOf({ command, paths: [] }, place);
const git = (stderr: string, onFiles: boolean) =>
  classifyGitError({ purpose: "push", stderr, code: 1, onFiles, full: false });

/** The path in a change, of which the text is what a file had, and what another one has. */
const changed = (path: string) => (text: string) =>
  atOnce(
    weakenedTests(
      [
        { path, before: { kind: "text", id: "1", text }, after: null },
        { path: `more/${path}`, before: null, after: { kind: "text", id: "2", text: `${text}\n` } },
      ],
      new Set(),
    ),
  );

/** Every function that reads what people, agents, models, programs and files of a repository wrote. */
export const READERS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ["a comment below a command", (text) => readComment(`/flotilla why\n${text}`, "flotilla")],
  ["a comment above a command", (text) => readComment(`${text}\n@flotilla why`, "flotilla")],
  ["the words of a command", (text) => readComment(`/flotilla budget ${text}`, "flotilla")],
  ["a message to the App", (text) => readComment(`@flotilla hm ${text}`, "flotilla")],
  ["amounts", readAmounts],
  ["a path", (text) => protectedAmong([text], protectedPaths)],
  ["tests in TypeScript", changed("test/a.test.ts")],
  ["tests in Python", changed("tests/test_a.py")],
  ["tests in Go", changed("a_test.go")],
  ["tests in Rust", changed("tests/a.rs")],
  ["tests in Java", changed("src/test/java/ATest.java")],
  ["a snapshot", changed("a.snap")],
  ["the scripts of a package", changed("package.json")],
  ["the rules of a Makefile", changed("Makefile")],
  ["the settings of a project", changed("pyproject.toml")],
  ["amounts with commas", commaFault],
  ["an answer", fold],
  ["a text from GitHub", visibleText],
  ["a text behind a definition", (text) => visibleText(`[x]:${text}`)],
  ["a text behind an image", (text) => visibleText(`![a](${text}`)],
  [
    "an issue that was edited",
    (text) => issueEdit({ title: "a", body: text }, { title: "a", body: `${text}y` }),
  ],
  ["a comment with a plan", readPlanComment],
  ["a comment with blockers", readBlockedByLines],
  ["words that close an issue", (text) => closesIssue(`fix ${text}`, { owner: "a", name: "b" }, 1)],
  ["words that take something back", (text) => parseReverts(text, "a/b")],
  ["a marker", (text) => parseMarker(`<!-- flotilla:v1 key=${text}`)],
  ["an agent's Markdown", (text) => safeMarkdown(text, reach)],
  ["an agent's block of code", (text) => safeMarkdown(`\`\`\`\n${text}`, reach)],
  ["an agent's table", (text) => safeMarkdown(`|a|\n|-|\n|${text}`, reach)],
  ["an agent's line", safeLine],
  ["an agent's plain text", (text) => safePlain(text, 1)],
  ["an agent's title", (text) => safeTitle(text, 1)],
  ["an agent's code", (text) => inlineCode(text, 100_000)],
  ["a text in a fence", fenced],
  ["a text above a marker", (text) => withMarker(text, { key: "a", mac: "0" })],
  ["a pull request's text", (text) => bodyWithFacts(text, facts)],
  [
    "a commit's message",
    (text) =>
      commitMessage(text, {
        agent: "a",
        runId: 1,
        model: "m",
        coAuthoredBy: null,
        signedOffBy: null,
      }),
  ],
  ["secrets in a text", redact],
  ["secrets in a text that grows", settledLength],
  ["a quoted command", (text) => citedAmong([`a${text}b`], [text])],
  ["a shell command", bash],
  ["a quoted shell command", (text) => bash(`echo '${text}'`)],
  ["a shell command of a shell", (text) => bash(`bash -c "${text}"`)],
  [
    "a patch",
    (text) => riskOf({ command: null, paths: builtinTools.get("apply_patch")?.paths?.(text) ?? [] }, place),
  ],
  ["a diff", linesShown],
  ["a line for a terminal", printableLine],
  ["an agent's failure", failureFingerprint],
  ["the log of a check", excerptOf],
  [
    "the output of a setup command",
    (output) =>
      triedFault({
        kind: "setup",
        command: "x",
        output,
        exitCode: 1,
        timedOut: false,
        durationMs: 0,
        refusedHosts: [],
        refusals: [],
      }),
  ],
  ["a provider's time to wait", (text) => retryAfterMs(`wait 1 ${text}`)],
  ["a provider's error", (message) => toModelError({ errorType: "x", message })],
  ["an error of git", (text) => git(`! [remote rejected] ${text}`, false)],
  ["an error of spawn", (text) => git(`spawn ${text}`, false)],
  ["an error of git on files", (text) => git(`error: ${text}`, true)],
  ["a path that git quotes", (text) => unquoted(`"${text}"`)],
  ["an issue form", formFields],
  ["a template of pull requests", (text) => missingOfTemplate(text, "# a")],
  ["a pull request's text beside a template", (text) => missingOfTemplate("# a\n- [ ] b", text)],
  ["a front matter", (text) => readFrontMatter(`---\n${text}`)],
  ["paths in a front matter", (text) => readApplyTo({ applyTo: text })],
  ["paths in a call", (text) => touchedPaths({ command: text }, { named: [text], workingDirectory: "/x" })],
  ["a repository's file", (text) => readForeignYaml(text, "flotilla.yml")],
];

/** What is written again and again; none of it ends what it begins. */
export const PIECES: readonly string[] = [
  ..." \t\n\r.-a0([<`*_\\~>\"'|!{?/é".split(""),
  "\u200b",
  "\u2028",
  "\u0315\u0300",
  "\ud800",
  "$(",
  "&#",
  "> ",
  "- ",
  "1,",
  "1.",
  "0s",
  "s0.0s",
  "&#x200b;",
  "```\n",
  "\n```\n",
  "\n~~~",
  "\n\n```a",
  "![",
  "](",
  "![\\]\\(",
  "![](\\)",
  "[a]:",
  '[a]: "\\"',
  '\\"',
  "<a '\"",
  "<!A",
  "<!--",
  "<?",
  "<![CDATA[",
  "<!--flotilla:",
  "<!--facts by flotilla",
  "-->",
  "a@",
  "@a-",
  "@a/",
  "a-",
  "www.",
  "http://",
  "://a:",
  "fix #",
  "FIX:HTTP://",
  "eyJ-",
  "bearer ",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "\n/x",
  "\n> ```\n> x",
  "cd a;",
  "sudo ",
  "X=1 ",
  'echo "`',
  "../",
  "git",
  "[remote rejected]",
  "-issue-1",
  "COPILOT_PROVIDER_",
  "/flotilla ",
  "@flotilla ",
  "wait ",
  "{a: ",
  "- - ",
  "&a ",
  "` `` ",
  "|`",
];

/** What stands behind it all, so that no pattern matches. */
export const ENDS: readonly string[] = ["", "x", ":", "\nx", "\u2028x"];
