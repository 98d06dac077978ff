import { expect, it } from "vitest";
import type { ClosedIssue, ClosingPull, EditedText } from "../../../src/domain/ports/closed-issues.ts";
import { asItWas } from "../../../src/domain/trial/as-it-was.ts";
import { caseOf, type FixHistory, type MergedPull, pullOf } from "../../../src/domain/trial/choose-case.ts";
import { holdsFix, namesFix } from "../../../src/domain/trial/names-fix.ts";

const HEAD = "abcdef0".padEnd(40, "1");
const MERGE = "2".repeat(40);
const BASE = "3".repeat(40);
const OPENED = Date.parse("2026-01-01T10:00:00Z");
const HOUR = 3_600_000;
const BEGAN = OPENED + 10 * HOUR;

const text = (words: string, createdAt: number, more: Partial<EditedText> = {}): EditedText => ({
  text: words,
  createdAt,
  lastEditedAt: null,
  versions: [],
  ...more,
});
const pull: ClosingPull = {
  number: 7,
  createdAt: BEGAN + HOUR,
  head: HEAD,
  branch: "fix/negative-numbers",
  merge: MERGE,
  closes: 1,
};
const issue = (more: Partial<ClosedIssue> = {}): ClosedIssue => ({
  number: 3,
  title: "Negative numbers",
  titles: [],
  author: "ada",
  body: text("They are options.", OPENED),
  comments: [],
  pull,
  ...more,
});
const history = (more: Partial<FixHistory> = {}): FixHistory => ({
  base: BASE,
  commits: [{ id: HEAD, at: BEGAN }],
  paths: ["lib/a.js", "test/a.test.js"],
  before: ["lib/a.js", "test/a.test.js"],
  patch: "",
  ...more,
});
const merged: MergedPull = { ...pull, merge: MERGE };
const chosen = (of: ClosedIssue, how: FixHistory | null = history()) => caseOf(of, merged, how);
const reasonOf = (found: object) => ("leftOut" in found ? found.leftOut : found);

it("makes a case of an issue whose pull request has tests", () => {
  expect(pullOf(issue())).toEqual(merged);
  const comments = [
    { author: "bob", body: text("Here too.", OPENED + HOUR) },
    { author: "eve", body: text("Fixed in #7.", BEGAN + 2 * HOUR) },
  ];
  expect(chosen(issue({ comments }))).toEqual({
    kind: "case",
    case: {
      issue: 3,
      title: "Negative numbers",
      body: "They are options.",
      author: "ada",
      comments: [{ author: "bob", body: "Here too.", at: "2026-01-01T11:00:00.000Z" }],
      pull: 7,
      base: BASE,
      change: HEAD,
      tests: ["test/a.test.js"],
    },
  });
});

it.each([
  ["no_pull", issue({ pull: null })],
  ["several_issues", issue({ pull: { ...pull, closes: 2 } })],
  ["opened_later", issue({ pull: { ...pull, createdAt: OPENED } })],
])("leaves an issue out by what GitHub says: %s", (reason, of) => {
  expect(reasonOf(pullOf(of))).toMatchObject({ issue: 3, reason });
});

it("needs to know what the base branch got", () => {
  expect(reasonOf(pullOf(issue({ pull: { ...pull, merge: null } })))).toMatchObject({ reason: "no_pull" });
});

it.each([
  ["no_history", issue(), null],
  ["no_tests", issue(), history({ paths: ["lib/a.js"] })],
  ["only_tests", issue(), history({ paths: ["test/a.test.js"] })],
  ["opened_later", issue(), history({ commits: [{ id: HEAD, at: OPENED }] })],
  ["edited_later", issue({ body: text("New.", OPENED, { lastEditedAt: BEGAN }) }), history()],
  ["text_names_fix", issue({ body: text("See abcdef0.", OPENED) }), history()],
  [
    "text_holds_fix",
    issue({ body: text("Do this:\n> return -Math.abs(number);\n", OPENED) }),
    history({ patch: "+++ b/lib/a.js\n+  return -Math.abs(number);\n" }),
  ],
])("leaves an issue out by its history and text: %s", (reason, of, how) => {
  expect(reasonOf(chosen(of, how))).toMatchObject({ issue: 3, reason });
});

it("takes the earlier of first commit and pull request as the beginning of the work", () => {
  const comments = [{ author: "bob", body: text("Late.", BEGAN + HOUR / 2) }];
  expect(chosen(issue({ comments }))).toMatchObject({ case: { comments: [] } });
  const late = history({ commits: [{ id: HEAD, at: BEGAN + 9 * HOUR }] });
  expect(chosen(issue({ comments }), late)).toMatchObject({ case: { comments: [{ body: "Late." }] } });
});

const versions = [
  { at: BEGAN + HOUR, text: "Now." },
  { at: OPENED, text: "First." },
  { at: BEGAN - HOUR, text: "Second." },
];

it("undoes edits from after the work began", () => {
  const body = text("Now.", OPENED, { lastEditedAt: BEGAN + HOUR, versions });
  expect(asItWas(issue({ body }), BEGAN)?.body).toBe("Second.");
  expect(asItWas(issue({ body }), OPENED + HOUR)?.body).toBe("First.");
  expect(asItWas(issue({ body: { ...body, lastEditedAt: BEGAN - HOUR } }), BEGAN)?.body).toBe("Now.");
  const windows = {
    ...body,
    text: "Now.\r\nAnd.",
    versions: [...versions.slice(1), { at: BEGAN + HOUR, text: "Now.\nAnd." }],
  };
  expect(asItWas(issue({ body: windows }), BEGAN)?.body).toBe("Second.");
});

it.each([
  ["the last version is not the present text", { text: "Other.", versions }],
  [
    "the version from before is deleted",
    {
      text: "Now.",
      versions: [
        { at: BEGAN, text: "Now." },
        { at: OPENED, text: null },
      ],
    },
  ],
  ["there is none from before", { text: "Now.", versions: [{ at: BEGAN, text: "Now." }] }],
])("undoes nothing where %s", (_, { text: words, versions: kept }) => {
  const edited = text(words, OPENED, { lastEditedAt: BEGAN, versions: kept });
  expect(asItWas(issue({ body: edited }), BEGAN)).toBeNull();
  expect(asItWas(issue({ comments: [{ author: "bob", body: edited }] }), BEGAN)).toBeNull();
});

it("returns the title from before it was changed", () => {
  const titles = [
    { until: BEGAN + 2 * HOUR, title: "Second" },
    { until: BEGAN + HOUR, title: "First" },
    { until: OPENED + HOUR, title: "Oldest" },
  ];
  expect(asItWas(issue({ titles }), BEGAN)?.title).toBe("First");
  expect(asItWas(issue({ titles }), BEGAN + 3 * HOUR)?.title).toBe("Negative numbers");
});

const names = { pull: 7, branch: "fix/negative-numbers", commits: [HEAD] };
const said = (body: string) => ({ title: "T", body, comments: [] });

it.each([
  ["fixed by #7.", "#7"],
  ["see https://github.com/acme/app/pull/7/files", "#7"],
  [`in ${HEAD.slice(0, 9).toUpperCase()}`, HEAD.slice(0, 9)],
  ["on fix/negative-numbers", "fix/negative-numbers"],
  ["see #70 and #71, 1234567 and fix", null],
])("finds what names the real change in %j", (body, found) => {
  expect(namesFix(said(body), names)).toBe(found);
});

it("takes a short branch for a word", () => {
  expect(namesFix(said("a patch"), { ...names, branch: "patch" })).toBeNull();
});

it("finds the lines of the real change in a text, but not those of its tests", () => {
  const patch = [
    "--- a/lib/a.js",
    "+++ b/lib/a.js",
    "+  const value = parseFloat(word);",
    "+  return value < 0 ? value : null;",
    "+}",
    "+++ b/test/a.test.js",
    "+assert.equal(parse('-1'), -1);",
  ].join("\n");
  const tests = ["test/a.test.js"];
  const half = {
    ...said(""),
    comments: [{ author: "b", at: "", body: "+ const value =   parseFloat(word);" }],
  };
  expect(holdsFix(half, patch, tests)).toBe(true);
  expect(holdsFix(said("assert.equal(parse('-1'), -1);\n}"), patch, tests)).toBe(false);
  expect(holdsFix(said("anything"), "+++ b/a\n+}\n", [])).toBe(false);
});
