import { languageOf } from "./test-languages.ts";

/** What a file means to the tests of its repository; see `roleOf`. */
export type TestRole = "tests" | "snapshot" | "configuration" | "settings" | "data";

const SNAPSHOT =
  /\.(?:snap|snap\.new|ambr|golden|approved(?:\.\w+)?|storyshot)$|(?:^|\/)(?:__snapshots__|__image_snapshots__|snapshots)\//i;

/** Files that only say how tests run, or what CI does. */
const CONFIGURATION = [
  /(?:^|\/)(?:vitest|jest|karma|cypress|playwright|wdio|protractor|ava|jasmine|nightwatch|stryker)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|json)$/,
  /(?:^|\/)(?:jest|vitest)[.-]?setup\.[cm]?[jt]sx?$|(?:^|\/)setup-?tests?\.[cm]?[jt]sx?$/i,
  /(?:^|\/)\.(?:mocharc|nycrc|c8rc|taprc|jasmine|jestrc)(?:\.\w+)?$|(?:^|\/)jasmine\.json$|(?:^|\/)mocha\.opts$/,
  /(?:^|\/)(?:\.?pytest\.(?:ini|toml)|tox\.ini|noxfile\.py|\.coveragerc|\.testr\.conf|\.stestr\.conf|bunfig\.toml)$/,
  // What stands in the way of the real runner.
  /(?:^|\/)node_modules\/(?:\.bin|@?vitest|@?jest|jest-cli|mocha|ava|c8|nyc|tap|jasmine|@playwright|cypress)\//,
  /(?:^|\/)(?:sitecustomize|usercustomize|pytest|unittest)\.py$|(?:^|\/)_?(?:pytest|unittest)\//,
  /(?:^|\/)\.?(?:codecov|coveralls)\.ya?ml$/,
  /(?:^|\/)(?:nextest\.toml|tarpaulin\.toml|junit-platform\.properties|testng[^/]*\.xml)$|(?:^|\/)\.config\/nextest/,
  /^\.github\/(?:workflows|actions)\//,
  /^(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.?appveyor|\.drone|\.cirrus|\.woodpecker)[^/]*\.ya?ml$/,
  /^(?:\.circleci|\.buildkite|\.woodpecker|\.gitlab|\.azure-pipelines|\.ci|ci)\//,
  /^Jenkinsfile[^/]*$/,
  /^(?:scripts?|bin|tools|hack)\/(?:[^/]*[_-])?(?:ci|tests?|check|coverage|verify)(?:[._-][^/]*)?$/,
];

/** Files that say how tests run among other things: of these, the lines below are compared. */
interface SettingFile {
  readonly file: RegExp;
  readonly lines: (text: string) => readonly string[];
  /** Runners read a new one beside, or in place of, what they read before. */
  readonly countsNew?: true;
}

const SETTINGS: readonly SettingFile[] = [
  { file: /(?:^|\/)package\.json$/, lines: packageLines },
  {
    file: /(?:^|\/)vite\.config\.[cm]?[jt]s$/,
    lines: (text) =>
      linesWith(
        text,
        /test|spec|include|exclude|coverage|threshold|setupFiles|reporters|retry|timeout|bail|alias/i,
      ),
    countsNew: true,
  },
  {
    file: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml)$/,
    lines: (text) =>
      linesWith(text, /shell|node-?options|ignore-?scripts|pre-?post|yarn-?path|if-present|test|override/i),
    countsNew: true,
  },
  {
    file: /(?:^|\/)(?:project|nx|turbo|angular)\.json$/,
    lines: (text) => linesWith(text, /test|spec|e2e|coverage|command|executor/i),
  },
  { file: /(?:^|\/)deno\.jsonc?$/, lines: (text) => linesWith(text, /test|coverage|exclude|include/i) },
  {
    file: /(?:^|\/)(?:pyproject\.toml|setup\.cfg)$/,
    lines: (text) => sectionLines(text, /pytest|coverage|tox|nox|unittest|testenv|hatch\.envs/i),
  },
  { file: /(?:^|\/)Cargo\.toml$/, lines: cargoLines },
  { file: /(?:^|\/)\.cargo\/config(?:\.toml)?$/, lines: (text) => linesWith(text, /test|rustflags|cfg/i) },
  {
    file: /(?:^|\/)pom\.xml$/,
    lines: (text) =>
      linesWith(
        text,
        /test|surefire|failsafe|jacoco|skip|exclude|include|<groups>|rerun|minimum|argLine|fail/i,
      ),
  },
  {
    file: /\.gradle(?:\.kts)?$|(?:^|\/)gradle\.properties$/,
    lines: (text) =>
      linesWith(text, /test|jacoco|exclude|include|ignoreFailures|enabled|onlyIf|minimum|finalizedBy/i),
  },
  // Make reads these in place of a Makefile.
  { file: /(?:^|\/)(?:GNUmakefile|makefile)$/, lines: recipeLines, countsNew: true },
  { file: /(?:^|\/)(?:Makefile|[Jj]ustfile|Taskfile\.ya?ml)$/, lines: recipeLines },
  {
    file: /(?:^|\/)\.(?:gitignore|dockerignore|gitattributes)$/,
    lines: (text) => linesWith(text, /test|spec|fixture|snap|golden|testdata/i),
  },
];

const TEST_PLACE =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|testdata|fixtures?|__fixtures__|golden|src\/test)\//i;

/** Returns what a file means to the tests; null for one that does not concern them. */
export function roleOf(path: string): TestRole | null {
  if (SNAPSHOT.test(path)) return "snapshot";
  if (CONFIGURATION.some((one) => one.test(path))) return "configuration";
  if (SETTINGS.some(({ file }) => file.test(path))) return "settings";
  const language = languageOf(path);
  if (language === undefined) return TEST_PLACE.test(path) ? "data" : null;
  const isOfTests = language.named.test(path) || language.places.test(path) || language.inside !== undefined;
  if (isOfTests) return "tests";
  return TEST_PLACE.test(path) ? "data" : null;
}

/** Returns the lines of a file that decide how tests run. */
export function settingLines(path: string, text: string): readonly string[] {
  return (settingFile(path)?.lines ?? allLines)(text);
}

/** Returns whether a new file of this name changes how the tests that were there before run. */
export const countsNew = (path: string): boolean => settingFile(path)?.countsNew === true;

const settingFile = (path: string) => SETTINGS.find(({ file }) => file.test(path));

const allLines = (text: string): readonly string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");

/** Dependencies of tests decide nothing about how they run. */
const DEPENDENCY =
  /^<(?:scope|artifactId|groupId|version|name|description)>|^\w*test\w*(?:Implementation|RuntimeOnly|CompileOnly|AnnotationProcessor|Fixtures)\b/i;

const linesWith = (text: string, words: RegExp) =>
  allLines(text).filter((line) => words.test(line) && !DEPENDENCY.test(line));

/** Returns the lines of the sections of an INI or TOML file whose names match, each with its section. */
function sectionLines(text: string, names: RegExp): readonly string[] {
  let section = "";
  return allLines(text).flatMap((line) => {
    if (/^\[.*\]$/.test(line)) section = line;
    return names.test(section) && line !== section ? [`${section} ${line}`] : [];
  });
}

function cargoLines(text: string): readonly string[] {
  return [
    ...sectionLines(text, /\[\[?(?:test|bench|profile\.test|profile\.dev)/),
    ...sectionLines(text, /\[(?:lib|package|features)\]|\[\[bin\]\]/).filter((line) =>
      /test|autotests|harness|default/.test(line),
    ),
  ];
}

/** What decides how make runs all recipes, and what it reads besides. */
const OF_ALL =
  /^(?:(?:export|override)\s+)*(?:SHELL|\.SHELLFLAGS|(?:GNU)?MAKEFLAGS)\b|^\.(?:IGNORE|DEFAULT_GOAL)\b|^[-s]?include\b/;
const OF_TESTS = /test|spec|e2e|cov|check|verify|lint|\bci\b|mocha|jest|vitest/i;

/** Returns the rules of a Makefile, and the like, whose names are of tests, with all lines that use a tool for tests. */
function recipeLines(text: string): readonly string[] {
  let rule = "";
  return text.split(/\r\n?|\n/).flatMap((line) => {
    const name = /^[ ]{0,4}([\w./-]+)(?:[ ][^:=]*)?:(?!=)/.exec(line)?.[1];
    if (name !== undefined) rule = name;
    if (OF_ALL.test(line)) return [line.replace(/\s+/g, " ").trim()];
    return line.trim() !== "" && (OF_TESTS.test(rule) || OF_TESTS.test(line))
      ? [`${rule}: ${line.replace(/\s+/g, " ").trim()}`]
      : [];
  });
}

const OWN_KEYS = /^(?:jest|mocha|ava|c8|nyc|tap|vitest|jasmine|karma|cypress|wireit)$/;
/** Scripts that run before the tests of a clean checkout: they can change them. */
const AT_INSTALL = /^(?:pre|post)?(?:install|prepare)$/;
const DEPENDENCIES = /^(?:d|devD|optionalD|peerD)ependencies$/;
/** Other packages in place of a test runner. */
const REPLACING = /^(?:overrides|resolutions|pnpm)$/;
const RUNNER =
  /^(?:@(?:vitest|jest|playwright|testing-library)\/.*|(?:vitest|jest|mocha|ava|c8|nyc|tap|jasmine|karma|cypress|chai|tsx|sinon)(?:-.*)?)$/;
const IS_VERSION = /^(?:workspace:|catalog:)?[\^~<>=\dx*|. a-z-]*$/i;

/** Returns the scripts of a package that are about tests, and the settings of test runners. */
function packageLines(text: string): readonly string[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return allLines(text);
  }
  if (typeof read !== "object" || read === null) return allLines(text);
  return Object.entries(read).flatMap(([key, value]: [string, unknown]) => {
    if (OWN_KEYS.test(key)) return [`${key}: ${JSON.stringify(value)}`];
    if (REPLACING.test(key)) return [`${key}: ${JSON.stringify(value)}`];
    if (typeof value !== "object" || value === null) return [];
    const decides = DEPENDENCIES.test(key) ? isReplaced : key === "scripts" ? isOfTests : null;
    return Object.entries(value)
      .map(([name, written]) => [name, String(written)] as const)
      .filter(([name, written]) => decides?.(name, written) === true)
      .map(([name, written]) => `${name}: ${written}`);
  });
}

const isOfTests = (name: string, script: string): boolean =>
  AT_INSTALL.test(name) || OF_TESTS.test(name) || OF_TESTS.test(script);

/** Returns whether a package that runs tests is no version of its own. */
const isReplaced = (name: string, version: string): boolean => RUNNER.test(name) && !IS_VERSION.test(version);
