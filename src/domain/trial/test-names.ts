import { COLOUR } from "../sessions/fingerprint.ts";

/** What the output of a test command says of single tests, or of files of tests where it names no others. */
export interface TestNames {
  readonly passed: ReadonlySet<string>;
  /** A name that both passed and failed is here alone. */
  readonly failed: ReadonlySet<string>;
}

/** Begins an output of which only the end was kept. */
const CUT = /^\[\d+ bytes left out\]/;
/** Differs from run to run. */
const DURATION = /[ \t]*(?:\(\d[\d.,]*[ ]?(?:ms|s|m)\)|\[\d[\d.,]*[ ]?(?:ms|s)\]|\d[\d.,]*[ ]?ms)$/;
/** How many tests a file has, which a change may raise. */
const COUNT = /[ \t]*\(\d+ tests?(?:[ |,][^()]*)?\)$/;

/**
 * Lines of a result, by runner; the first that fits decides. Groups: `indent`, `good` where the test passed, `name`. A line
 * without a name is no result.
 */
const LINES: readonly RegExp[] = [
  // Skipped tests are no result.
  /^\s*(?:(?:not )?ok \d+|[✔✖﹣]).* # (?:SKIP|TODO)\b/iu,
  // The Test Anything Protocol.
  /^(?<indent>\s*)(?:(?<good>ok)|not ok) \d+ (?:- )?(?<name>\S.*)$/,
  // Node, Vitest, Jest, Mocha.
  /^(?<indent>\s*)(?:(?<good>[✔✓√])|[✖✕×✗]) +(?<name>\S.*)$/u,
  // Mocha's failures, and Vitest's files that have some.
  /^\s+\d+\) (?<name>\S.*)$/,
  /^\s*❯ (?<name>\S.* \(\d+ tests?\b.*)$/u,
  // Jest's files.
  /^(?:(?<good>PASS)|FAIL) (?<name>\S+\.\w+)(?: .*)?$/,
  // Go's tests and packages.
  /^\s*--- (?:(?<good>PASS)|FAIL): (?<name>\S+)(?: .*)?$/,
  /^(?:(?<good>ok) {2}|FAIL)\t(?<name>\S+)(?:\s.*)?$/,
  // pytest: each test, its summary, and files.
  /^(?<name>\S+::.*\S) (?:(?<good>PASSED)|FAILED|ERROR)(?:\s.*)?$/,
  /^(?:FAILED|ERROR) (?<name>\S+::.*?)(?: - .*)?$/,
  /^(?<name>\S+\.py) (?:(?<good>[.sxX]+)|[.FEsxX]+)(?:\s+\[.*)?$/,
  // Rust, and Python's unittest.
  /^(?:test )?(?<name>\S.*?) \.\.\. (?:(?<good>ok)|FAIL|FAILED|ERROR)$/,
  // Gradle.
  /^(?<name>\S.* > .*\S) (?:(?<good>PASSED)|FAILED)$/,
  // Maven.
  /^\[\w+\] Tests run: \d+, (?:(?<good>Failures: 0, Errors: 0)|Failures: \d+, Errors: \d+),.* in (?<name>[\w.$]+)$/,
];

/** What opens a group of tests, whose names begin with the group's. */
const GROUP = /^(?<indent>\s*)(?:▶|# Subtest:) (?<name>\S.*)$/u;

/** Reads the names of tests from the whole output of a test command; null where it names none, or was cut. */
export function testNames(output: string): TestNames | null {
  if (CUT.test(output)) return null;
  const [passed, failed, parents] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let groups: readonly { readonly depth: number; readonly name: string }[] = [];
  for (const line of output.replaceAll(COLOUR, "").split(/\r?\n/)) {
    const read = readLine(line);
    if (read === null) continue;
    groups = groups.filter(({ depth }) => depth < read.depth);
    if (read.result === "group") groups = [...groups, read];
    else {
      (read.result === "passed" ? passed : failed).add(pathOf([...groups, read]));
      parents.add(pathOf(groups));
    }
  }
  // The result of a group is that of its tests.
  for (const name of parents) for (const names of [passed, failed]) names.delete(name);
  for (const name of failed) passed.delete(name);
  return passed.size + failed.size === 0 ? null : { passed, failed };
}

const pathOf = (names: readonly { readonly name: string }[]): string =>
  names.map(({ name }) => name).join(" > ");

interface Read {
  /** Characters that it is indented by. */
  readonly depth: number;
  readonly name: string;
  readonly result: "passed" | "failed" | "group";
}

function readLine(line: string): Read | null {
  const group = GROUP.exec(line)?.groups;
  const form = group === undefined ? LINES.find((one) => one.test(line)) : GROUP;
  const { indent = "", good, name } = form?.exec(line)?.groups ?? {};
  if (name === undefined) return null;
  const result = group !== undefined ? "group" : good === undefined ? "failed" : "passed";
  return { depth: indent.length, name: named(name), result };
}

const named = (text: string): string => text.trimEnd().replace(DURATION, "").replace(COUNT, "").trimEnd();
