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
  /(?:^|\/)(?:pytest\.ini|tox\.ini|noxfile\.py|\.coveragerc|\.testr\.conf|\.stestr\.conf)$/,
  /(?:^|\/)\.?(?:codecov|coveralls)\.ya?ml$/,
  /(?:^|\/)(?:nextest\.toml|tarpaulin\.toml|junit-platform\.properties|testng[^/]*\.xml)$|(?:^|\/)\.config\/nextest/,
  /^\.github\/(?:workflows|actions)\//,
  /^(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.?appveyor|\.drone|\.cirrus|\.woodpecker)[^/]*\.ya?ml$/,
  /^(?:\.circleci|\.buildkite|\.woodpecker|\.gitlab|\.azure-pipelines|\.ci|ci)\//,
  /^Jenkinsfile[^/]*$/,
  /^(?:scripts?|bin|tools|hack)\/(?:[^/]*[_-])?(?:ci|tests?|check|coverage|verify)(?:[._-][^/]*)?$/,
];

/** Files that say how tests run among other things: of these, the lines below are compared. */
const SETTINGS: readonly { readonly file: RegExp; readonly lines: (text: string) => readonly string[] }[] = [
  { file: /(?:^|\/)package\.json$/, lines: packageLines },
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
  { file: /(?:^|\/)(?:GNUmakefile|Makefile|makefile|[Jj]ustfile|Taskfile\.ya?ml)$/, lines: recipeLines },
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
  return (SETTINGS.find(({ file }) => file.test(path))?.lines ?? allLines)(text);
}

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

const OF_TESTS = /test|spec|e2e|cov|check|verify|lint|\bci\b|mocha|jest|vitest/i;

/** Returns the rules of a Makefile, and the like, whose names are of tests, with all lines that use a tool for tests. */
function recipeLines(text: string): readonly string[] {
  let rule = "";
  return text.split(/\r\n?|\n/).flatMap((line) => {
    const name = /^[ ]{0,4}([\w./-]+)(?:[ ][^:=]*)?:(?!=)/.exec(line)?.[1];
    if (name !== undefined) rule = name;
    return line.trim() !== "" && (OF_TESTS.test(rule) || OF_TESTS.test(line))
      ? [`${rule}: ${line.replace(/\s+/g, " ").trim()}`]
      : [];
  });
}

const OWN_KEYS = /^(?:jest|mocha|ava|c8|nyc|tap|vitest|jasmine|karma|cypress|wireit)$/;

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
    if (key !== "scripts" || typeof value !== "object" || value === null) return [];
    return Object.entries(value)
      .filter(([name, script]) => OF_TESTS.test(name) || OF_TESTS.test(String(script)))
      .map(([name, script]) => `${name}: ${String(script)}`);
  });
}
