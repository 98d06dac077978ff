import { describe, expect, it } from "vitest";
import { concernsTests, weakenedTests } from "../../../src/domain/evidence/weakened-tests.ts";
import type { ChangedFile, FileContent } from "../../../src/domain/ports/worktrees.ts";

type Given = string | null | Exclude<FileContent, { kind: "text" }>;

const content = (given: Given): FileContent | null =>
  typeof given === "string" ? { kind: "text", id: given, text: given } : given;

/** A file of a change: path, text before, text after. */
type Row = readonly [path: string, before: Given, after: Given];

const change = (...files: Row[]) =>
  files.map(
    ([path, before, after]): ChangedFile => ({ path, before: content(before), after: content(after) }),
  );

const found = (...files: Row[]) =>
  weakenedTests(change(...files), new Set()).map(({ path, line, kind, what }) => ({
    path,
    line,
    kind,
    what,
  }));

const kinds = (...files: Row[]) => [...new Set(found(...files).map(({ kind }) => kind))];

const JS = `import { expect, it } from "vitest";
import { add } from "../src/add.ts";

it("adds two numbers", () => {
  expect(add(1, 2)).toBe(3);
  expect(add(2, 2)).toBe(4);
});

it("adds a negative number", async () => {
  const sum = await add(1, -2);
  expect(sum).toBe(-1);
});
`;

const PY = `import pytest
from shop import total


@pytest.mark.parametrize("price, tax", [
    (1, 2),
    (3, 4),
])
def test_total(price, tax):
    result = total(price, tax)
    assert result == price + tax


class TestCart:
    def test_empty(self):
        assert total(0, 0) == 0
        assert total(0, 1) == 1
`;

const GO = `package shop

import "testing"

func TestTotal(t *testing.T) {
	cases := []struct{ a, b int }{
		{1, 2},
		{3, 4},
	}
	for _, c := range cases {
		if got := Total(c.a, c.b); got != c.a+c.b {
			t.Errorf("got %d", got)
		}
	}
}

func TestEmpty(t *testing.T) {
	t.Run("of a new cart", func(t *testing.T) {
		if Total(0, 0) != 0 {
			t.Fatal("not empty")
		}
	})
}
`;

const RUST = `pub fn total(a: i32, b: i32) -> i32 {
    assert!(a >= 0);
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(total(1, 2), 3);
        assert_eq!(total(2, 2), 4);
    }

    #[test]
    #[should_panic]
    fn refuses_negative_numbers() {
        let _lifetime: &'static str = "of a string";
        total(-1, 0);
    }
}
`;

const JAVA = `package shop;

class TotalTest {
    @Test
    void adds() {
        assertEquals(3, total(1, 2));
        assertThat(total(2, 2)).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2",
        "3, 4",
    })
    @Timeout(5)
    void addsEach(int a, int b) {
        assertEquals(a + b, total(a, b));
    }
}
`;

const FILES = {
  "test/add.test.ts": JS,
  "tests/test_shop.py": PY,
  "shop/total_test.go": GO,
  "src/total.rs": RUST,
  "src/test/java/shop/TotalTest.java": JAVA,
} as const;
type Path = keyof typeof FILES;

/** The change of one file by one replacement, which must be possible. */
const edited = (path: Path, from: string | RegExp, to: string) => {
  const before = FILES[path];
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} has no ${String(from)}`);
  return [path, before, after] as const;
};

const [js, py, go, rust, java] = Object.keys(FILES) as [Path, Path, Path, Path, Path];

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
    const before = FILES[path];
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

describe("a test that judges less", () => {
  it.each([
    [
      "taken out",
      js,
      "  expect(add(2, 2)).toBe(4);\n",
      "",
      '"adds two numbers" has 1 assertion instead of 2',
    ],
    [
      "replaced by one that always holds",
      js,
      "add(2, 2)).toBe(4)",
      "true).toBe(true)",
      "has 1 assertion instead of 2",
    ],
    [
      "replaced by one of a thing with itself",
      js,
      "add(2, 2)).toBe(4)",
      "sum).toBe(sum)",
      "has 1 assertion instead of 2",
    ],
    [
      "replaced by a weak one",
      js,
      ".toBe(4)",
      ".toBeDefined()",
      '"adds two numbers": 1 of 2 assertions check less than before',
    ],
    [
      "replaced by one of anything",
      js,
      ".toBe(4)",
      ".toEqual(expect.anything())",
      "has 1 assertion instead of 2",
    ],
    ["commented out", js, "expect(add(2, 2))", "// expect(add(2, 2))", "has 1 assertion instead of 2"],
    ["taken out", py, "        assert total(0, 1) == 1\n", "", '"test_empty" has 1 assertion instead of 2'],
    [
      "replaced by one that always holds",
      py,
      "assert total(0, 1) == 1",
      "assert True",
      "has 1 assertion instead of 2",
    ],
    [
      "replaced by a tuple",
      py,
      "assert total(0, 1) == 1",
      "assert (total(0, 1) == 1, 'no')",
      "has 1 assertion instead of 2",
    ],
    ["replaced by a weak one", py, "total(0, 1) == 1", "total(0, 1) is not None", "check less than before"],
    ["replaced by a log", go, 't.Errorf("got', 't.Logf("got', '"TestTotal" has 0 assertions instead of 1'],
    [
      "replaced by one that always holds",
      rust,
      "assert_eq!(total(2, 2), 4)",
      "assert!(true)",
      '"adds" has 1 assertion instead of 2',
    ],
    [
      "no panic that must come any more",
      rust,
      "    #[should_panic]\n",
      "",
      '"refuses_negative_numbers" has 0',
    ],
    [
      "replaced by a weak one",
      java,
      "assertThat(total(2, 2)).isEqualTo(4)",
      "assertThat(total(2, 2)).isNotNull()",
      "check less",
    ],
    [
      "replaced by one of a thing with itself",
      java,
      "assertEquals(a + b, total(a, b))",
      "assertEquals(a, a)",
      "has 0 assertions",
    ],
  ])("is found where an assertion is %s in %s", (_how, path, from, to, what) => {
    expect(found(edited(path, from, to))).toContainEqual(
      expect.objectContaining({ path, kind: "assertions", what: expect.stringContaining(what) }),
    );
  });

  it("is found where the helper that asserts is emptied or deleted", () => {
    const helper = "export function isSum(sum) {\n  expect(sum).toBe(3);\n}\n";
    expect(found(["test/helper.ts", helper, helper.replace(/ {2}expect.*\n/, "")])).toEqual([
      {
        path: "test/helper.ts",
        line: 1,
        kind: "assertions",
        what: "outside of tests has 0 assertions instead of 1",
      },
    ]);
    expect(kinds(["test/helper.ts", helper, null])).toEqual(["assertions"]);
    expect(found(["test/helper.ts", helper, null], ["test/is-sum.ts", null, helper])).toEqual([]);
  });

  it.each([
    [py, "    (3, 4),\n", '"test_total" has 1 cases instead of 2'],
    [go, "\t\t{3, 4},\n", '"TestTotal" has 1 cases instead of 2'],
    [java, '        "3, 4",\n', '"addsEach" has 1 cases instead of 2'],
  ])("is found where a case is taken out in %s", (path, from, what) => {
    expect(found(edited(path, from, ""))).toEqual([{ path, line: expect.any(Number), kind: "cases", what }]);
  });

  it.each([
    ["skipped", js, 'it("adds two', 'it.skip("adds two'],
    ["skipped", js, 'it("adds two', 'xit("adds two'],
    ["skipped", js, 'it("adds two', 'it.fails("adds two'],
    ["skipped", js, 'it("adds two numbers", ', 'it("adds two numbers", { skip: true }, '],
    ["skipped", js, 'it("adds two', 'it.skipIf(process.env.CI)("adds two'],
    ["skipped", js, /\n(it\([^]*)$/, '\ndescribe.skip("sums", () => {\n$1});\n'],
    ["only", js, 'it("adds two', 'it.only("adds two'],
    ["only", js, 'it("adds two', 'fit("adds two'],
    ["cut_short", js, /\n(it\("adds two[^]*)$/, "\nif (false) {\n$1}\n"],
    ["cut_short", js, "  expect(add(1, 2))", "  return;\n  expect(add(1, 2))"],
    ["cut_short", js, "  expect(add(1, 2))", "  process.exit(0);\n  expect(add(1, 2))"],
    [
      "hidden",
      js,
      "  expect(sum).toBe(-1);",
      "  try {\n    expect(sum).toBe(-1);\n  } catch { /* flaky */ }",
    ],
    ["skipped", py, "    def test_empty", "    @pytest.mark.skip(reason='later')\n    def test_empty"],
    ["skipped", py, "class TestCart", "@unittest.skip\nclass TestCart"],
    ["skipped", py, "    result =", "    pytest.skip()\n    result ="],
    ["skipped", py, "    result =", "    pytest.importorskip('no_such_module')\n    result ="],
    ["cut_short", py, "    result =", "    return\n    result ="],
    ["cut_short", py, "    result =", "    import os; os._exit(0)\n    result ="],
    [
      "hidden",
      py,
      "        assert total(0, 0) == 0\n",
      "        try:\n            assert total(0, 0) == 0\n        except AssertionError:\n            pass\n",
    ],
    ["skipped", go, "\tcases :=", "\tt.Skip()\n\tcases :="],
    ["cut_short", go, "\tcases :=", "\treturn\n\tcases :="],
    ["cut_short", go, "\tfor _, c", "\tif false {\n\tfor _, c"],
    ["skipped", rust, "    #[test]\n    fn adds", "    #[test]\n    #[ignore]\n    fn adds"],
    ["skipped", rust, "    #[test]\n    fn adds", "    #[ignore]\n    #[test]\n    fn adds"],
    ["skipped", rust, "#[cfg(test)]\n", "#[cfg(test)]\n#[cfg(any())]\n"],
    ["cut_short", rust, "        assert_eq!(total(1", "        return;\n        assert_eq!(total(1"],
    ["skipped", java, "    @Test\n", "    @Test\n    @Disabled\n"],
    ["skipped", java, "class TotalTest", "@Disabled\nclass TotalTest"],
    ["skipped", java, "        assertEquals(3", "        assumeTrue(isLinux());\n        assertEquals(3"],
    [
      "hidden",
      java,
      "        assertEquals(3, total(1, 2));",
      "        try { assertEquals(3, total(1, 2)); } catch (Error e) { }",
    ],
  ])("is found where it is %s in %s: %s becomes %s", (kind, path, from, to) => {
    expect(found(edited(path, from, to)).filter((one) => one.kind === kind)).toEqual([
      expect.objectContaining({ path, line: expect.any(Number) }),
    ]);
  });

  it("is found once, however often the change is made, and not where it was so before", () => {
    const skipped = JS.replace('it("adds two', 'it.skip("adds two');
    expect(found([js, skipped, skipped.replace("toBe(3)", "toBe(4)")])).toEqual([]);
    expect(found([js, skipped, null], ["test/b.test.ts", null, skipped])).toEqual([]);
    expect(found([js, skipped, skipped.replace("adds two numbers", "adds numbers")])).toEqual([]);
    expect(found([js, skipped, JS.replace('it("adds a neg', 'it.skip("adds a neg')])).toEqual([
      {
        path: js,
        line: 9,
        kind: "skipped",
        what: 'does not run: "it.skip(\\"adds a negative number\\", async () => {"',
      },
    ]);
  });

  it("is found in a new test that does not run, and not in one that returns early", () => {
    expect(kinds([js, null, 'it.todo("later");\n'])).toEqual(["skipped"]);
    expect(kinds([js, null, 'it("a", () => {\n  if (no) return;\n  expect(a).toBe(1);\n});\n'])).toEqual([]);
    expect(kinds(["test/setup.ts", null, "if (isDone)\n  return;\n"])).toEqual([]);
    expect(kinds(["test/setup.ts", null, "process.exit(0);\n"])).toEqual(["cut_short"]);
    expect(kinds(["tests/conftest.py", null, "collect_ignore = ['test_shop.py']\n"])).toEqual(["skipped"]);
  });

  it.each([
    [
      "adds two numbers",
      "  expect(add(2, 2)).toBe(4);\n});",
      "  expect(add(2, 2)).toBe(4);\n}, 60_000);",
      "its time limit is 60000, which was not set before",
    ],
    ["adds two numbers", 'numbers", ', 'numbers", { retry: 5 }, ', "retry is 5, which was not set before"],
  ])("is found where a limit is set in %s: %s", (title, from, to, what) => {
    expect(found(edited(js, from, to))).toEqual([
      { path: js, line: expect.any(Number), kind: "limit", what: `${JSON.stringify(title)}: ${what}` },
    ]);
  });

  it.each([
    [
      "jest.setTimeout(5_000);\n",
      "jest.setTimeout(90_000);\n",
      "outside of tests: setTimeout is 90000 instead of 5000",
    ],
    [
      "it('a', () => {\n  expect(x).toBeCloseTo(f(), 5);\n});",
      "it('a', () => {\n  expect(x).toBeCloseTo(f(), 1);\n});",
      '"a": toBeCloseTo is 1 instead of 5',
    ],
  ])("is found where a limit is weaker: %s", (before, after, what) => {
    expect(found([js, before, after])).toEqual([{ path: js, line: expect.any(Number), kind: "limit", what }]);
    expect(found([js, after, before])).toEqual([]);
  });

  it("is found where a limit of Java or Python is weaker", () => {
    expect(found(edited(java, "@Timeout(5)", "@Timeout(50)"))[0]?.what).toBe(
      '"addsEach": Timeout is 50 instead of 5',
    );
    const py1 = "def test_a():\n    assert x == approx(y, rel=0.001)\n";
    expect(found([py, py1, py1.replace("0.001", "0.5")])[0]?.what).toBe(
      '"test_a": rel is 0.5 instead of 0.001',
    );
  });
});

describe("what tests are compared with", () => {
  const SNAP = "// v1\n\nexports[`a`] = `\n1\n`;\n\nexports[`b`] = `\n2\n`;\n";
  const path = "test/__snapshots__/a.test.ts.snap";

  it("may grow and move, and is found where it is rewritten or gone", () => {
    expect(found([path, null, SNAP], ["x.ambr", SNAP, `${SNAP}more`])).toEqual([]);
    expect(found([path, SNAP, `${SNAP}more`])).toEqual([]);
    expect(found([path, SNAP, null], ["src/__snapshots__/a.test.ts.snap", null, SNAP])).toEqual([]);
    expect(found([path, SNAP, null])).toEqual([
      { path, line: null, kind: "snapshot", what: "a snapshot is gone" },
    ]);
    expect(found([path, SNAP, SNAP.replace("2", "3")])).toEqual([
      {
        path,
        line: null,
        kind: "snapshot",
        what: "a snapshot is rewritten: 1 of 7 lines changed or are gone",
      },
    ]);
  });

  it("is compared as a whole where it is no text", () => {
    const png = "test/__image_snapshots__/a.png";
    const binary = (id: string) => ({ kind: "binary", id }) as const;
    expect(found([png, null, binary("1")])).toEqual([]);
    expect(found([png, binary("1"), binary("2")])[0]?.what).toBe("a snapshot is rewritten");
    expect(found([png, binary("1"), null])[0]?.what).toBe("a snapshot is gone");
  });

  it("is data that is gone, or leads elsewhere", () => {
    const data = "tests/fixtures/case-1.json";
    expect(found([data, "{}", null])).toEqual([
      { path: data, line: null, kind: "data", what: "data of the tests is gone" },
    ]);
    expect(found([data, "{}", null], ["tests/data/case-1.json", null, "{}"])).toEqual([]);
    expect(found([data, "{}", '{"a":1}'], [`${data}.new`, null, "{}"])).toEqual([]);
    expect(found([data, "{}", { kind: "link", id: "1" }])[0]?.what).toBe("data of the tests is a link now");
    expect(kinds(["fixtures/a.ts", "export {}", null])).toEqual(["data"]);
  });
});

describe("how tests run", () => {
  it.each([
    [
      "vitest.config.ts",
      "exclude: []",
      "exclude: ['test']",
      'how tests run: "exclude: []" became "exclude: [\'test\']"',
    ],
    ["jest.config.js", "a\nb", "b\na", "how tests run: the order of lines changed"],
    [
      "pytest.ini",
      "[pytest]",
      "[pytest]\naddopts = -k 'not slow'",
      "how tests run: \"addopts = -k 'not slow'\" is new",
    ],
    [".gitlab-ci.yml", "test: npm test\nlint: x", "lint: x", 'how tests run: "test: npm test" is gone'],
    [".github/workflows/ci.yml", "on: push", null, "it configured how tests run, and is gone"],
    ["vitest.config.ts", null, "x", "a new file configures how tests run"],
    [
      "package.json",
      '{"scripts":{"test":"vitest"}}',
      '{"scripts":{"test":"true"}}',
      'how tests run: "test: vitest" became "test: true"',
    ],
    [
      "package.json",
      '{"jest":{}}',
      '{"jest":{"testPathIgnorePatterns":["a"]}}',
      'how tests run: "jest: {}" became "jest: {\\"testPathIgnorePatterns\\":[\\"a\\"]}"',
    ],
    ["package.json", '{"scripts":{"all":"mocha"}}', "[", 'how tests run: "all: mocha" became "["'],
    ["package.json", '{"scripts":{"all":"mocha"}}', "1", 'how tests run: "all: mocha" became "1"'],
    ["package.json", '{"scripts":{"all":"mocha"}}', '{"scripts":1}', 'how tests run: "all: mocha" is gone'],
    [
      "package.json",
      '{"scripts":{"all":"mocha"}}',
      '{"scripts":null}',
      'how tests run: "all: mocha" is gone',
    ],
    ["package.json", '{"scripts":{"all":"mocha"}}', "null", 'how tests run: "all: mocha" became "null"'],
    [
      "pyproject.toml",
      "[tool.coverage.report]\nfail_under = 90",
      "[tool.coverage.report]\nfail_under = 10",
      'how tests run: "[tool.coverage.report] fail_under = 90" became "[tool.coverage.report] fail_under = 10"',
    ],
    ["Cargo.toml", '[[test]]\nname = "a"', "", 'how tests run: "[[test]] name = \\"a\\"" is gone'],
    ["Cargo.toml", "[lib]", "[lib]\ntest = false", 'how tests run: "[lib] test = false" is new'],
    [
      ".cargo/config.toml",
      "[build]",
      '[build]\nrustflags = "--cfg=x"',
      'how tests run: "rustflags = \\"--cfg=x\\"" is new',
    ],
    ["pom.xml", "<a/>", "<skipTests>true</skipTests>", 'how tests run: "<skipTests>true</skipTests>" is new'],
    [
      "build.gradle.kts",
      "a",
      "tasks.test { enabled = false }",
      'how tests run: "tasks.test { enabled = false }" is new',
    ],
    [
      "Makefile",
      "test: build\n\tgo test ./...",
      "test: build\n\ttrue",
      'how tests run: "test: go test ./..." became "test: true"',
    ],
    [".gitignore", "dist", "dist\ntests/fixtures", 'how tests run: "tests/fixtures" is new'],
    [
      "deno.json",
      "{}",
      '{"test": {"exclude": ["a"]}}',
      'how tests run: "{\\"test\\": {\\"exclude\\": [\\"a\\"]}}" is new',
    ],
  ])("is found where %s changes: %s becomes %s", (path, before, after, what) => {
    expect(found([path, before, after])).toEqual([{ path, line: null, kind: "configuration", what }]);
  });

  it.each([
    [
      "package.json",
      '{"version":"1","scripts":{"test":"a","build":"b"}}',
      '{"version":"2","scripts":{"build":"c","test":"a"}}',
    ],
    ["package.json", null, '{"scripts":{"test":"a"}}'],
    ["package.json", '{"version":"1"}', null],
    ["pyproject.toml", "[project]\nname = 'a'", "[project]\nname = 'b'"],
    ["Cargo.toml", "[lib]\nname = 'a'", "[lib]\nname = 'b'\n[dependencies]\ntestcontainers = '1'"],
    ["pom.xml", "<a/>", "<artifactId>testcontainers</artifactId>\n<scope>test</scope>"],
    ["build.gradle", "a", 'testImplementation "org.junit:junit:5"'],
    ["Makefile", "build:\n\tcc a.c", "build:\n\tcc a.c b.c\nX := 1"],
    [".gitignore", "dist", "dist\nbuild"],
    ["vitest.config.ts", "a\n", "a  \r\n\r\n"],
  ])("is not found where %s changes otherwise: %s becomes %s", (path, before, after) => {
    expect(found([path, before, after])).toEqual([]);
  });

  it("is not found where a person approved the change of that very file", () => {
    const files = change([".gitlab-ci.yml", "a", "b"], [js, JS, null]);
    expect(weakenedTests(files, new Set([".gitlab-ci.yml", js])).map(({ path }) => path)).toEqual([js, js]);
  });
});

describe("what cannot be read", () => {
  it.each([
    ["link", "it is a link"],
    ["repository", "it is another repository"],
    ["binary", "it is a binary file"],
    ["large", "it is too large to compare"],
    ["beyond", "it is not compared, because the change has too many files for that"],
  ] as const)("is found: %s", (kind, what) => {
    expect(found([js, null, { kind, id: "1" }])).toEqual([{ path: js, line: null, kind: "unread", what }]);
    expect(found(["vitest.config.ts", null, { kind, id: "1" }])).toEqual([
      { path: "vitest.config.ts", line: null, kind: "unread", what },
    ]);
  });

  it("is found where it was so before the change, and not where it is gone with its folder of data", () => {
    expect(found([js, { kind: "large", id: "1" }, JS])[0]?.what).toBe(
      "before the change it was too large to compare",
    );
    expect(found(["tests/data/a.bin", null, { kind: "large", id: "1" }])).toEqual([]);
  });

  it("is found where there are more tests than can be compared", () => {
    const many = Array.from({ length: 20_001 }, (_, index) => `it("${index}", f);`).join("\n");
    expect(found([js, many, ""])).toEqual([
      { path: js, line: null, kind: "unread", what: "one of 1 files with more tests than can be compared" },
    ]);
  });
});

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
    const one = (title: string) => `it("${title}", () => {\n  expect(theSame).toBe(true);\n});\n`;
    const many = Array.from({ length: 60 }, (_, index) => one(`new ${index}`)).join("");
    expect(found([js, one("old"), many]).map(({ what }) => what)).toEqual(['the test "old" is gone']);
  });
});
