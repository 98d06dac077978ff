import { describe, expect, it } from "vitest";
import { weakenedTests } from "../../../src/domain/evidence/weakened-tests.ts";
import { atOnce, change, found, JS, js, kinds } from "./changed-tests.ts";

const binary = (id: string) => ({ kind: "binary", id }) as const;

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
    expect(found([png, null, binary("1")])).toEqual([]);
    expect(found([png, binary("1"), binary("2")])[0]?.what).toBe("a snapshot is rewritten");
    expect(found([png, binary("1"), null])[0]?.what).toBe("a snapshot is gone");
  });

  it("is data that is gone, or leads elsewhere", () => {
    const data = "tests/fixtures/case-1.json";
    expect(found([data, "{}", null])).toEqual([
      { path: data, line: null, kind: "data", what: "test data is gone" },
    ]);
    expect(found([data, "{}", null], ["tests/data/case-1.json", null, "{}"])).toEqual([]);
    expect(found([data, "{}", '{"a":1}'], [`${data}.new`, null, "{}"])).toEqual([]);
    expect(found([data, "{}", { kind: "link", id: "1" }])[0]?.what).toBe("test data is a link now");
    expect(
      found([data, "{}", '{"a":1}'], [data, { kind: "link", id: "1" }, { kind: "link", id: "2" }]),
    ).toEqual([]);
    expect(found([data, "{}", { kind: "repository", id: "1" }])[0]?.what).toBe(
      "test data is another repository now",
    );
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
    const left = atOnce(weakenedTests(files, new Set([".gitlab-ci.yml", js])));
    expect(left.map(({ path }) => path)).toEqual([js, js]);
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
