import { describe, expect, it } from "vitest";
import { edited, found, go, JS, java, js, kinds, py, rust } from "./changed-tests.ts";

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
