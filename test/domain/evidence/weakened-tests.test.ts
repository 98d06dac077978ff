import { describe, expect, it } from "vitest";
import { concernsTests } from "../../../src/domain/evidence/weakened-tests.ts";
import { edited, FILES, found, go, JS, java, js, kinds, py, rust } from "./changed-tests.ts";

describe("nothing is found", () => {
  it.each(Object.entries(FILES))(
    "in a file that only changes its line ends, comments and spaces: %s",
    (path, text) => {
      const comment = path.endsWith(".py") ? "# it was\n" : "// it was\n";
      expect(found([path, text, text.replaceAll("\n", "\r\n")])).toEqual([]);
      expect(found([path, text, `\uFEFF${comment}${text.replaceAll(" = ", "  =  ")}${comment}`])).toEqual([]);
    },
  );

  it.each(Object.entries(FILES))("in new tests and more assertions: %s", (path, text) => {
    expect(found([path, null, text])).toEqual([]);
    const name = /\/([^/]*)$/.exec(path)?.[1] ?? "";
    expect(found([path, text, text], [path.replace(name, `more/${name}`), null, text])).toEqual([]);
  });

  it.each(Object.entries(FILES))("where a file is moved: %s", (path, text) => {
    const name = /\/([^/]*)$/.exec(path)?.[1] ?? "";
    expect(found([path, text, null], [path.replace(name, `deep/${name}`), null, text])).toEqual([]);
  });

  it("where tests move to other files, and get other titles", () => {
    const [head, first, second] = JS.split(/\n(?=it\()/);
    const renamed = String(second).replace("adds a negative number", "subtracts");
    expect(
      found(
        [js, JS, null],
        ["test/one.test.ts", null, `${head}\n${first}`],
        ["test/two.spec.ts", null, `${head}\n${renamed}`],
      ),
    ).toEqual([]);
  });

  it("where an expected value changes: nobody can tell a correction from a surrender", () => {
    expect(found(edited(js, "toBe(3)", "toBe(5)"))).toEqual([]);
    expect(found(edited(go, "{1, 2}", "{1, 9}"))).toEqual([]);
  });

  it("where a helper moves that skips, and limits how long tests take", () => {
    const helper = "export const here = isLinux ? describe : describe.skip;\njest.setTimeout(10_000);\n";
    expect(found(["test/here.ts", helper, null], ["test/lib/here.ts", null, helper])).toEqual([]);
  });

  it("where assertions move to a test of their own", () => {
    expect(
      found(
        edited(
          js,
          "  expect(add(2, 2)).toBe(4);\n});",
          '});\n\nit("adds equals", () => {\n  expect(add(2, 2)).toBe(4);\n});',
        ),
      ),
    ).toEqual([]);
  });

  it("in files that do not concern tests", () => {
    expect(
      found(["src/add.ts", "assert(a);", ""], ["README.md", "it('x')", ""], ["lib/a.py", "assert a", ""]),
    ).toEqual([]);
    expect(concernsTests("src/add.ts")).toBe(false);
    expect(concernsTests("src/total.rs")).toBe(true);
    expect(found(["src/lib.rs", "fn a() { assert!(b); }", "fn a() {}"])).toEqual([]);
  });
});

describe("a test that is gone", () => {
  it.each([
    ["taken out", js, /\nit\("adds a neg[^]*$/, "", "adds a negative number"],
    ["commented out", js, /\n(it\("adds a neg[^]*)$/, "\n/*\n$1*/\n", "adds a negative number"],
    ["commented out line by line", js, /^it\("adds a neg/m, '// it("adds a neg', "adds a negative number"],
    [
      "put into a string",
      js,
      /\n(it\("adds a neg[^]*)$/,
      "\nconst old = `\n$1`;\n",
      "adds a negative number",
    ],
    [
      "put into a string in a template",
      js,
      /\n(it\("adds a neg[^]*)$/,
      "\nconst old = `${`\n$1`}`;\n",
      "adds a negative number",
    ],
    ["no call of it any more", js, 'it("adds a neg', 'ti("adds a neg', "adds a negative number"],
    ["taken out", py, /\n {4}def test_empty[^]*$/, "\n    pass\n", "test_empty"],
    ["commented out", py, "    def test_empty", "    # def test_empty", "test_empty"],
    ["put into a string", py, /( {4}def test_empty[^]*)$/, '    """\n$1    """\n', "test_empty"],
    ["not named as a test any more", py, "def test_empty", "def check_empty", "test_empty"],
    ["not named as a test any more", go, "func TestEmpty", "func testEmpty", "TestEmpty"],
    ["taken out of a table of runs", go, /\tt\.Run[^]*\t\}\)\n/, "", "of a new cart"],
    ["not marked as a test any more", rust, /#\[test\]\n( {4}fn adds)/, "$1", "adds"],
    [
      "commented out with a comment within",
      rust,
      / {4}#\[test\]\n {4}fn adds[^]*?\n {4}\}\n/,
      "/* /* */ $& */",
      "adds",
    ],
    ["not marked as a test any more", java, "@Test\n", "", "adds"],
    ["commented out by an escape", java, /( {4}@Test[^]*?\n {4}\}\n)/, "\\u002f\\u002a\n$1*/", "adds"],
  ])("is found where it is %s in %s", (_how, path, from, to, title) => {
    const before = FILES[path] ?? "";
    expect(found(edited(path, from, to))).toContainEqual({
      path,
      line: expect.any(Number),
      kind: "test_gone",
      what: `the test ${JSON.stringify(title)} is gone`,
    });
    expect(before).toContain(title);
  });

  it.each(Object.entries(FILES))(
    "is found where the file is deleted, emptied or renamed: %s",
    (path, text) => {
      const other = path.endsWith(".rs")
        ? path.replace(".rs", ".rs.txt")
        : path.replace(/[^/]*$/, `helper${/\.\w+$/.exec(path)?.[0]}`);
      expect(kinds([path, text, null])).toContain("test_gone");
      expect(kinds([path, text, ""])).toContain("test_gone");
      expect(kinds([path, text, null], [other, null, text])).toContain("test_gone");
    },
  );

  it("has its line before the change, and its title cut", () => {
    const title = "very ".repeat(50);
    expect(found([js, `\nit("${title}", () => {});`, ""])).toEqual([
      {
        path: js,
        line: 2,
        kind: "test_gone",
        what: `the test ${JSON.stringify(`${title.slice(0, 80)}…`)} is gone`,
      },
    ]);
  });

  it("is found where another one with the same title stays", () => {
    const twice = `${JS}${JS.slice(JS.indexOf("it("))}`;
    expect(found([js, twice, JS]).map(({ what }) => what)).toEqual([
      'the test "adds two numbers" is gone',
      'the test "adds a negative number" is gone',
    ]);
  });

  it("is found where new tests of something else come in its place", () => {
    const other = 'it("says hello to people", () => {\n  expect(greet("you")).toBe("hello you");\n});\n';
    expect(found(edited(js, /it\("adds a neg[^]*$/, other)).map(({ what }) => what)).toEqual([
      'the test "adds a negative number" is gone',
    ]);
  });
});

const one = (title: string) => `it("${title}", () => {\n  expect(theSame).toBe(true);\n});\n`;

describe("a test is known", () => {
  it("by what stands in the place of its title, where that is computed", () => {
    const computed = "it(name, () => {});\nit.each(rows)(name, () => {});\nit(`of ${name}\n";
    expect(found([js, computed, ""]).map(({ line, what }) => [line, what])).toEqual([
      [1, 'the test "name" is gone'],
      [2, 'the test "rows)(name" is gone'],
      [3, 'the test "of ${name}\\n" is gone'],
    ]);
  });

  it("by the title after its table", () => {
    const table = 'it.each([\n  [1, 2],\n])("adds %i", f);\ntest.each`\na\n${1}\n`("takes $a", f);\n';
    expect(found([js, table, ""]).map(({ what }) => what)).toEqual([
      'the test "adds %i" is gone',
      'the test "takes $a" is gone',
    ]);
  });

  it("not by lines that are in many others", () => {
    const many = Array.from({ length: 60 }, (_, index) => one(`new ${index}`)).join("");
    expect(found([js, one("old"), many]).map(({ what }) => what)).toEqual(['the test "old" is gone']);
  });
});
