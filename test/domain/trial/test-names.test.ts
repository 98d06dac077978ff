import { expect, it } from "vitest";
import { testNames } from "../../../src/domain/trial/test-names.ts";

const read = (output: string) => {
  const names = testNames(output);
  return names && { passed: [...names.passed], failed: [...names.failed] };
};

it.each([
  [
    "Node's own runner",
    [
      "▶ outer",
      "  ✔ one (5.25626ms)",
      "  ✖ two #3 (1.126932ms)",
      "  ▶ inner",
      "    ✔ one (5.813107ms)",
      "  ✔ inner (6.176946ms)",
      "✖ outer (14.404726ms)",
      "✔ top (1.912679ms)",
      "﹣ skipped (0.132296ms) # SKIP",
      "✔ later (0.323781ms) # TODO",
      "ℹ tests 7",
    ],
    ["outer > one", "outer > inner > one", "top"],
    ["outer > two #3"],
  ],
  [
    "the Test Anything Protocol",
    [
      "TAP version 13",
      "# Subtest: outer",
      "    # Subtest: one",
      "    ok 1 - one",
      "      ---",
      "      duration_ms: 0.5",
      "    not ok 2 - two",
      "    1..2",
      "not ok 1 - outer",
      "ok 2 plain",
      "ok 3 - skipped # SKIP no reason",
    ],
    ["outer > one", "plain"],
    ["outer > two"],
  ],
  [
    "Vitest",
    [
      " ✓ test/a.test.ts (9 tests) 4403ms",
      " ❯ test/b.test.ts (9 tests | 1 failed) 44ms",
      "   × adds 12ms",
      " ❯ test/b.test.ts:12:3",
    ],
    ["test/a.test.ts"],
    ["test/b.test.ts", "adds"],
  ],
  [
    "Jest",
    ["PASS tests/a.test.js (5.1 s)", "FAIL tests/b.test.js", "  suite", "    ✓ adds (5 ms)", "    ✕ divides"],
    ["tests/a.test.js", "adds"],
    ["tests/b.test.js", "divides"],
  ],
  ["Mocha", ["  suite", "    ✔ adds", "    1) divides"], ["adds"], ["divides"]],
  [
    "Go",
    [
      "--- PASS: TestAdd (0.00s)",
      "    --- FAIL: TestDivide/by_zero (0.00s)",
      "ok  \texample.com/a\t0.005s",
      "FAIL\texample.com/b\t0.010s",
      "FAIL\texample.com/c [build failed]",
      "FAIL",
    ],
    ["TestAdd", "example.com/a"],
    ["TestDivide/by_zero", "example.com/b", "example.com/c"],
  ],
  [
    "pytest",
    [
      "tests/test_a.py ..s.                     [ 50%]",
      "tests/test_b.py .F.                      [100%]",
      "tests/test_c.py::test_adds PASSED        [ 33%]",
      "tests/test_c.py::TestX::test_y[a b] FAILED [ 66%]",
      "FAILED tests/test_b.py::test_z - assert 1 == 2",
      "ERROR tests/test_d.py::test_e",
    ],
    ["tests/test_a.py", "tests/test_c.py::test_adds"],
    [
      "tests/test_b.py",
      "tests/test_c.py::TestX::test_y[a b]",
      "tests/test_b.py::test_z",
      "tests/test_d.py::test_e",
    ],
  ],
  [
    "Rust and unittest",
    [
      "test add::works ... ok",
      "test add::fails ... FAILED",
      "test_x (mod.Class) ... ok",
      "test y ... ignored",
    ],
    ["add::works", "test_x (mod.Class)"],
    ["add::fails"],
  ],
  [
    "Gradle",
    ["AppTest > adds() PASSED", "AppTest > divides() FAILED"],
    ["AppTest > adds()"],
    ["AppTest > divides()"],
  ],
  [
    "Maven",
    [
      "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in com.example.ATest",
      "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in com.example.BTest",
    ],
    ["com.example.ATest"],
    ["com.example.BTest"],
  ],
])("reads the names of tests from the output of %s", (_, lines, passed, failed) => {
  expect(read(lines.join("\n"))).toEqual({ passed, failed });
});

it("reads names beneath colours", () => {
  expect(read("\u001B[32m✔\u001B[39m adds \u001B[90m(1ms)\u001B[39m\r\n")).toEqual({
    passed: ["adds"],
    failed: [],
  });
});

it("counts a name that passed and failed as failed", () => {
  expect(read("✔ adds\n✖ adds\n")).toEqual({ passed: [], failed: ["adds"] });
});

it("reads nothing where the beginning is missing, or no test is named", () => {
  expect(testNames("[12 bytes left out]\n✔ adds\n")).toBeNull();
  expect(testNames("all is well\n")).toBeNull();
});
