import { describe, expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import type { PendingFile, PendingWork } from "../../../src/domain/ports/agent-tables.ts";
import {
  heldText,
  heldWork,
  MOST_BYTES,
  MOST_FILE_BYTES,
  MOST_FILES,
} from "../../../src/domain/tasks/held-work.ts";

const file = (path: string, more: Partial<PendingFile> = {}): PendingFile => ({
  path,
  mode: "100644",
  before: null,
  bytes: 10,
  link: null,
  ...more,
});
const work = (files: readonly PendingFile[], more: Partial<PendingWork> = {}): PendingWork => ({
  tree: "t",
  files,
  paths: files.map(({ path }) => path),
  links: files.filter(({ mode }) => mode === "120000").map(({ path }) => path),
  leftOut: [],
  patch: "",
  ...more,
});
const judged = (given: PendingWork) =>
  heldWork(given, [".github/workflows/**"], redactor(["canary-of-ours-1"]));
const reasons = (...files: readonly PendingFile[]) => judged(work(files)).reasons.map(({ why }) => why);
const textOf = (...files: readonly PendingFile[]) => heldText(judged(work(files)));
const link = (path: string, to: string) => file(path, { mode: "120000", link: to });

describe("what keeps a commit back", () => {
  it("is nothing about ordinary files and links within the repository", () => {
    expect(reasons(file("src/a.ts"), file("run", { mode: "100755" }), file("old", { mode: null }))).toEqual(
      [],
    );
    const plain = [file("README.md"), file("docs/a/b.md")];
    for (const [path, to] of [
      ["a/b/l", "../../README.md"],
      ["l", "docs"],
      ["l", "./docs/a/"],
      ["l", "docs/a/b.md"],
      ["l", "."],
      ["a/l", "."],
      ["a/l", ".."],
      ["a/l", "../docs/a"],
    ] as const)
      expect(reasons(...plain, link(path, to)), `${path} to ${to}`).toEqual([]);
    expect(reasons(file(".gitignore"), file(".gitattributes"), file("git~x"), file("a.git"))).toEqual([]);
  });

  it("is no name that the listed paths do not hold a second time", () => {
    expect(judged(work([file("a")], { paths: [] })).reasons).toEqual([]);
    expect(judged(work([file("a")], { paths: ["a", "A"] })).reasons).toHaveLength(1);
  });

  it("is a protected path, changed, taken out, or made executable", () => {
    const path = ".github/workflows/ci.yml";
    for (const mode of ["100644", "100755", null])
      expect(reasons(file(path, { mode, before: "100644" }))).toEqual(["a protected path"]);
  });

  it.each([".github", ".github/workflows"])("is a link or another repository in the place of %s", (path) => {
    const tool = file("tools/a.yml");
    const to = path === ".github" ? "tools" : "../tools";
    expect(reasons(tool, link(path, to))).toEqual(["a protected path"]);
    expect(reasons(tool, file(path, { mode: "160000" }))[0]).toBe("a protected path");
    expect(reasons(file(path, { before: "120000", mode: null }))).toEqual(["a protected path"]);
  });

  it("is a link or another repository where a wildcard stands for a directory, and no plain file there", () => {
    const paths = ["infra/x", "tools/main.tf"];
    const held = (one: PendingFile) => heldWork(work([one], { paths }), ["infra/*/main.tf"], (text) => text);
    expect(held(link("infra/x", "../tools")).reasons).toEqual([{ path: "infra/x", why: "a protected path" }]);
    expect(held(file("infra/x", { mode: "160000" })).reasons[0]?.why).toBe("a protected path");
    expect(held(file("infra/x")).reasons).toEqual([]);
  });

  it.each([
    ["l", "/etc/passwd"],
    ["l", ".."],
    ["a/l", "../.."],
    ["a/l", "../../x"],
    ["l", "docs/../../x"],
    ["l", "docs/../x"],
    ["l", "../a/.."],
  ])("is a link at %s to %s", (path, to) => {
    expect(reasons(link(path, to))).toEqual(["a link that leads out of the repository"]);
  });

  it.each([
    ["another link", "m"],
    ["what stands below another link", "m/a.txt"],
    ["what no commit has taken in", "build/out"],
    ["what lies below a file", "docs/a.md/b"],
    ["what lies in a directory that is nowhere", ".swap/d/file"],
    ["nothing", ""],
  ])("is a link to %s", (_what, to) => {
    const files = [file("docs/a.md"), link("l", to)];
    const given = work(files, { paths: ["docs/a.md", "l", "m"], links: ["l", "m"] });
    expect(judged(given).reasons).toEqual([{ path: "l", why: "a link that leads out of the repository" }]);
  });

  it("is a link whose end is not known", () => {
    expect(reasons(file("l", { mode: "120000" }))).toEqual(["a link that leads out of the repository"]);
  });

  it("is another repository within this one", () => {
    const why = "another repository within this one";
    expect(reasons(file("lib", { mode: "160000" }), file(".gitmodules"), file("a/.GitModules"))).toEqual([
      why,
      why,
      why,
    ]);
  });

  it.each([
    ".GIT/config",
    "a/.git/x",
    "git~1",
    "GIT~2/x",
    ".git ",
    ".git.",
    ".g\u200cit/config",
    "a\u0007b",
    "a\nb",
  ])("is the name %j", (path) => {
    expect(reasons(file(path))).toEqual(["a name that git or a file system reads as another one"]);
    expect(reasons(file(path, { mode: null }))).toEqual([]);
  });

  it("is a new name that meets another one when case is not looked at", () => {
    const given = work([file("readme.md"), file("b", { before: "100644" })], {
      paths: ["README.md", "readme.md", "b", "B"],
    });
    expect(judged(given).reasons).toEqual([
      { path: "readme.md", why: "a name that differs from another one only in upper and lower case" },
    ]);
  });

  it("is too much in one file, in all files, or too many of them", () => {
    expect(reasons(file("a", { bytes: MOST_FILE_BYTES }))).toEqual([]);
    expect(reasons(file("a", { bytes: MOST_FILE_BYTES + 1 }))).toEqual(["6 MiB in one file"]);
    const half = Array.from({ length: 5 }, (_, index) => file(`a${index}`, { bytes: MOST_BYTES / 4 }));
    expect(reasons(...half)).toEqual(["25 MiB in one commit"]);
    expect(judged(work(half)).mayLeave).toBe(false);
    const many = Array.from({ length: MOST_FILES + 1 }, (_, index) => file(`a${index}`));
    expect(reasons(...many)).toEqual(["1001 files in one commit"]);
    expect(judged(work(many)).mayLeave).toBe(true);
  });

  it.each([
    work([file("a")], { patch: "key = AKIAABCDEFGHIJKLMNOP" }),
    work([file("a")], { patch: "x canary-of-ours-1 y" }),
    work([file("canary-of-ours-1")]),
    work([link("l", "canary-of-ours-1")]),
    work([file("a")], { patch: "Authorization: Bearer ghp_abcdefghijklmnopqrst" }),
  ])("is a secret, in what is new, in a name or in a link, and then nothing leaves the host: %j", (given) => {
    const held = judged(given);
    expect(held.reasons.map(({ why }) => why)).toContain("something in it looks like a secret");
    expect(held.mayLeave).toBe(false);
  });

  it("is not the word basic or bearer before another word", () => {
    expect(judged(work([file("a")], { patch: "Basic functionality of the bearer certificate" }))).toEqual({
      mayLeave: true,
      reasons: [],
    });
  });
});

it("takes no longer for deep directories than their names are long", () => {
  const deep = Array.from({ length: 1900 }, () => "a").join("/");
  const files = Array.from({ length: 1500 }, (_, index) => file(`${deep}/f${index}`));
  const held = judged(work([...files, link("l", "a/a"), link("m", "a/b")]));
  expect(held.reasons).toEqual([
    { path: "m", why: "a link that leads out of the repository" },
    { path: "the change", why: "1502 files in one commit" },
  ]);
});

describe("the text for a person", () => {
  const workflow = file(".github/workflows/x.yml");

  it("has a line for each thing, with names that cannot be taken for lines", () => {
    expect(textOf(file("a\nb: a protected path"))).toEqual({
      text: '"a\\nb: a protected path": a name that git or a file system reads as another one',
      isWhole: true,
    });
  });

  it("names what matters first, and only some of the odd names", () => {
    const odd = Array.from({ length: 400 }, (_, index) => file(`!${"n".repeat(200)}\u200b${index}`));
    const { text, isWhole } = textOf(...odd, workflow);
    expect(isWhole).toBe(true);
    expect(text.split("\n")).toHaveLength(7);
    expect(text.split("\n")[0]).toBe('".github/workflows/x.yml": a protected path');
    expect(text.split("\n")[6]).toBe("395 more: a name that git or a file system reads as another one");
  });

  it("cuts odd names, which may be long when they are escaped, and nothing else", () => {
    const odd = Array.from({ length: 400 }, (_, index) => file(`\u0007`.repeat(200) + index));
    const upper = odd.map(({ path }) => file(`${path}X`));
    const lower = odd.map(({ path }) => file(`${path}x`));
    const { text, isWhole } = textOf(...odd, ...upper, ...lower, workflow);
    expect(isWhole).toBe(true);
    expect(text).toHaveLength(3502);
    expect(text).toContain('".github/workflows/x.yml": a protected path');
  });

  it("says that it is not whole where what must be seen does not fit", () => {
    const many = Array.from({ length: 100 }, (_, index) => file(`.github/workflows/w${index}.yml`));
    const { text, isWhole } = textOf(...many);
    expect(isWhole).toBe(false);
    expect(text).toHaveLength(3502);
  });
});
