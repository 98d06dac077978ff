import { describe, expect, it } from "vitest";
import { edited, found, GO_FILE, JS, js, kinds, py, RUST_FILE } from "./changed-tests.ts";

/** Ways around the comparison of tests that look like ordinary work. */
describe("the guard of tests is not evaded", () => {
  it.each([
    ["by an alias of only", 'it("adds two', 'const run = it.only;\nrun("adds two'],
    ["by another notation of only", 'it("adds two', 'it["only"]("adds two'],
    ["by an escape in only", 'it("adds two', 'it.\\u006fnly("adds two'],
    ["by only that is taken apart", 'it("adds two', 'const { only: it2 } = it;\nit2("adds two'],
    ["by a comment within only", 'it("adds two', 'it./* */only("adds two'],
    ["by the context's skip", 'numbers", () => {', 'numbers", ({ skip }) => {\n  skip();'],
    ["by options with a quoted key", 'numbers", () => {', 'numbers", { "skip": true }, () => {'],
    ["by options with a computed key", 'numbers", () => {', 'numbers", { ["sk" + "ip"]: true }, () => {'],
    ["by a test function of its own", "it(", "const it = (..._: unknown[]) => undefined;\nit("],
    ["by a hoisted test function", /$/, "function it() {}\n"],
    ["by an expect of its own", /$/, "function expect() {\n  return { toBe() {} };\n}\n"],
    ["by a helper's test function", '{ expect, it } from "vitest"', '{ expect, it } from "./quiet.ts"'],
    ["by another matcher of the same name", /$/, "expect.extend({ toBe: () => ({ pass: true }) });\n"],
    [
      "by a catch that only logs",
      "  expect(add(1, 2)).toBe(3);",
      "  try { expect(add(1, 2)).toBe(3); } catch (e) { console.log(e); }",
    ],
    ["by an early return of nothing", "  expect(add(1", "  if (add) return undefined;\n  expect(add(1"],
    ["by an exit code", /$/, "process.exitCode = 0;\n"],
    ["by the inner exit", /$/, "process.reallyExit(0);\n"],
    ["by a comment of old browsers", "  expect(add(1, 2)", "  <!-- expect(add(1, 2)"],
  ])("%s", (_, from, to) => {
    expect(found(edited(js, from, to))).not.toEqual([]);
  });

  it("by an inline snapshot that accepts anything", () => {
    const before = 'it("renders", () => {\n  expect(render()).toMatchInlineSnapshot(`one`);\n});\n';
    expect(kinds([js, before, before.replace("`one`", "")])).toEqual(["assertions"]);
  });

  it.each([
    [js, JS, "node_modules/add.test.ts"],
    [js, JS, "dist/add.test.ts"],
    [js, JS, "test/.old/add.test.ts"],
    [js, JS, "test/add.tests.ts"],
    [js, JS, "test/add.Test.ts"],
    [py, edited(py, "import pytest", "import  pytest")[1], "build/test_shop.py"],
    ["total_test.go", GO_FILE, "total_windows_test.go"],
    ["total_test.go", GO_FILE, "total_arm64_test.go"],
    ["total_test.go", GO_FILE, "_total_test.go"],
    ["total_test.go", GO_FILE, "testdata/total_test.go"],
    ["tests/total.rs", RUST_FILE, "tests/more/total.rs"],
  ])("by moving $0 to $2, where no runner looks", (path, text, to) => {
    expect(kinds([path, text, null], [to, null, text])).toContain("test_gone");
    expect(found([to, text, `${text}\n`])).toEqual([]);
  });

  it.each([
    ["//go:build never", ["skipped"]],
    ["// +build never", ["skipped"]],
    ["//go:build linux", []],
    ["// go:build never", []],
  ])("by a build constraint: %s", (line, kindsOf) => {
    expect(kinds(["a_test.go", GO_FILE, `${line}\n\n${GO_FILE}`])).toEqual(kindsOf);
  });

  it.each(["any()", 'feature = "never"'])("by a condition beside cfg(test): %s", (condition) => {
    const row = edited("src/total.rs", "cfg(test)", `cfg(all(test, ${condition}))`);
    expect(kinds(row)).toEqual(["skipped"]);
  });
});

describe("nothing changes unseen how tests run", () => {
  it.each([
    ["vite.config.ts", "export default {\n  test: { include: ['none'] },\n};"],
    [".npmrc", "script-shell=/bin/true"],
    [".npmrc", "node-options=--require ./quiet.cjs"],
    [".yarnrc.yml", "yarnPath: ./quiet.cjs"],
    ["bunfig.toml", '[test]\nroot = "none"'],
    [".pytest.ini", "[pytest]"],
    ["pytest.toml", "[pytest]"],
    ["pytest.py", "raise SystemExit(0)"],
    ["pytest/__main__.py", "raise SystemExit(0)"],
    ["sitecustomize.py", "import os"],
    ["GNUmakefile", "test:\n\ttrue"],
    ["node_modules/.bin/vitest", "#!/bin/sh"],
    ["node_modules/vitest/index.js", ""],
  ])("a new %s: %j", (path, text) => {
    expect(found([path, null, text])).toEqual([
      { path, line: null, kind: "configuration", what: "a new file configures how tests run" },
    ]);
  });

  it.each([
    ["vite.config.ts", "test: {}", "test: { exclude: ['**'] }"],
    ["project.json", '"command": "vitest"', '"command": "true"'],
    ["package.json", '{"scripts":{}}', '{"scripts":{"postinstall":"rm -r t*/a*"}}'],
    ["package.json", '{"devDependencies":{"vitest":"^3"}}', '{"devDependencies":{"vitest":"file:./quiet"}}'],
    ["package.json", '{"devDependencies":{"jest":"29.1.0"}}', '{"devDependencies":{"jest":"npm:quiet@1"}}'],
    ["package.json", "{}", '{"overrides":{"vitest":"npm:quiet@1"}}'],
    ["Makefile", "test:\n\tpytest", "SHELL = /bin/true\ntest:\n\tpytest"],
    ["Makefile", "test:\n\tpytest", "MAKEFLAGS += -i\ntest:\n\tpytest"],
    ["Makefile", "test:\n\tpytest", ".IGNORE:\ntest:\n\tpytest"],
    ["Makefile", "test:\n\tpytest", "test:\n\tpytest\n-include quiet.mk"],
  ])("%s: %s becomes %s", (path, before, after) => {
    expect(kinds([path, before, after])).toEqual(["configuration"]);
  });

  it.each([
    ["vite.config.ts", null, "export default { base: '/' };"],
    [".npmrc", null, "save-exact=true"],
    ["package.json", '{"devDependencies":{"vitest":"^3"}}', '{"devDependencies":{"vitest":"^4.0.0-beta.1"}}'],
    [
      "package.json",
      '{"devDependencies":{}}',
      '{"devDependencies":{"vitest":"workspace:*","left-pad":"file:./x"}}',
    ],
    ["Makefile", "all:\n\tcc a.c", "all:\n\tcc a.c\nincluded: x"],
  ])("but not %s: %s becomes %s", (path, before, after) => {
    expect(found([path, before, after])).toEqual([]);
  });
});
