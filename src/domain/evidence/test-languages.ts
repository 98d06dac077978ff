import type { Syntax } from "./plain-code.ts";

/** How the tests of a language look. All but `assertions` and `weak` are searched in code without comments and strings. */
export interface TestLanguage {
  readonly files: RegExp;
  /** Files that test runners find by their names; `places` are others in which tests or their helpers lie. */
  readonly named: RegExp;
  readonly places: RegExp;
  /** Named files that runners leave out all the same. */
  readonly passedOver?: RegExp;
  /** Only what follows counts in files elsewhere; undefined where other files hold no tests. */
  readonly inside?: RegExp;
  readonly syntax: Syntax;
  /** Where a test begins. Its title is the group `name`, or the string after the match. */
  readonly tests: RegExp;
  /** Lines above a test that belong to it. */
  readonly annotations?: RegExp;
  readonly assertions: RegExp;
  /** Assertions that hold whatever the code does, and those that hold for nearly any result. */
  readonly empty: RegExp;
  readonly weak: RegExp;
  readonly skips: RegExp;
  readonly only?: RegExp;
  /** What keeps the rest of a test from running, and what hides its failure. */
  readonly cuts: RegExp;
  readonly hides: RegExp;
  /** Searched with the content of strings: where what makes or checks a test comes from the repository itself. */
  readonly ownTools?: RegExp;
  /** Lines that are one case of a table. */
  readonly cases: RegExp;
}

const SLASHES = String.raw`(?<line>\/\/)|(?<block>\/\*)`;
/** Runners of JavaScript and Python look into none of these folders by themselves. */
const PASSED_OVER = /(?:^|\/)(?:node_modules|bower_components|dist|build|venv|\.[^/]*)\//;
const TEST_FOLDER = String.raw`(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|integration)\/`;

const javascript: TestLanguage = {
  files: /\.[cm]?[jt]sx?$/,
  named:
    /(?:[._-](?:test|spec|cy|e2e|test-d)\.[cm]?[jt]sx?$)|(?:^|\/)(?:test|test-[^/]*)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\//,
  passedOver: PASSED_OVER,
  places: new RegExp(TEST_FOLDER),
  syntax: {
    lineEnds: /\r\n?|[\u2028\u2029]/g,
    openings: new RegExp(
      String.raw`${SLASHES}|(?<template>\x60)|(?<string>["'])|(?<regex>(?=\/)(?<=(?:^|[(,=:[!&|?{};]|=>|\breturn)[ \t\n]*)\/)`,
    ),
  },
  tests:
    /(?<![\w$.]|\bfunction[ \t*]{1,9})(?:it|test|specify|xit|xtest|xspecify|fit|Deno\.test|t\.test)(?:\.\w+)*\s{0,9}(?:<[^<>()]{0,200}>)?\s{0,9}[(`]/g,
  assertions:
    /(?<![\w$])(?:expect\w*|assert\w*|verify\w*|should)\s*[(.]|\.should\b|(?<![\w$.])t\.(?:is|not|ok|equal|same|like|match|throws|true|false|deepEqual|assert)\w*\s*[(.]/g,
  empty:
    /^(?:expect|assert\w*(?:\.ok)?|t\.(?:ok|true|assert))\(\s*(?:true|1|!0|!false)\s*[),]|(?:^expect|[eE]qual|Is)\(\s*([\w.'"]+)\s*(?:,|\)\.to\w*\()\s*\1\s*\)|\.to\w*\(\s*expect\.anything\(\)\s*\)|\.toMatchInlineSnapshot\(\s*\)|^expect\.(?!soft|poll|assertions|hasAssertions)\w+/,
  weak: /\.(?:toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|not\.toBeNull|not\.toBeUndefined|not\.toThrow\w*)\(/,
  skips:
    /(?<![\w$.])(?:it|test|describe|suite|context|specify|t|ctx|task|this)(?:\.\w+)*\.(?:skip|todo|failing|fails|fixme|skipIf|runIf)\b|(?<![\w$.])x(?:it|test|describe|context|specify)\s*[.(`]|\b(?:skip|todo)\s*:\s*(?!false\b)|(?<![\w$.])(?:skip|todo)\s*\(|(?<![\w$.])(?:it|test|describe|suite)(?:\.\w+)*\(\s*(["'`])[ ]*\1,\s*\{\s*(?:["'`[]|\.\.\.)/g,
  only: /\.only\s*[.(`]|(?<![\w$.])f(?:it|describe|context)\s*[.(`]|\bonly\s*:\s*true\b/g,
  cuts: /\b(?:if|while)\s*\(\s*(?:false|0|!1|!true|null|undefined)\b|\bfalse\s*&&|&&\s*false\b|\bprocess\s*\.\s*(?:(?:exit|reallyExit|abort)\s*\(|exitCode\s*=)|\breturn\s*(?:undefined|void\s+0)?\s*;|^[ \t]*return[ \t]*$/gm,
  hides:
    /\bcatch\s{0,9}(?:\([^()\n]{0,80}\))?\s{0,9}\{\s*(?:console\.\w{1,20}\([^\n{}]{0,200}\)[ \t;]{0,9}\s*)?\}|\b(?:function\s*\*?|const|let|var|class)\s+(?:it|test|describe|suite|expect|assert)\b|\bexpect\.extend\s*\(|<!--|\.catch\(\s*(?:\([^()\n]{0,80}\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null)/g,
  ownTools:
    /^[ \t]*(?:import|const|let|var)\s*\{[^{}]{0,400}\b(?:it|test|describe|suite|expect|assert)\b[^{}]{0,400}\}\s*(?:from|=\s*require\()\s*["'][.#~]/gm,
  cases: /^[ \t]*[[{(].*[\]})],?[ \t]*$/gm,
};

const python: TestLanguage = {
  files: /\.py$/,
  named: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/,
  passedOver: PASSED_OVER,
  places: new RegExp(String.raw`${TEST_FOLDER}|(?:^|\/)conftest\.py$`),
  syntax: { lineEnds: /\r\n?/g, openings: /(?<line>#)|(?<text>"""|''')|(?<string>["'])/ },
  tests: /^[ \t]*(?:\w+[ \t]+)?def[ \t]+(?<name>test\w*)/gm,
  annotations: /^[ \t]*@/,
  assertions: /^[ \t]*assert\b|\.assert\w*\s*\(|\bpytest\.(?:raises|warns|deprecated_call)\b/gm,
  empty:
    /\bassert\s+(?:True|1|not\s+False)\b|\bassertTrue\(\s*True\b|\bassertFalse\(\s*False\b|\bassert\s+([\w.]+)\s*==\s*\1\s*$|\bassert\s*\(.*,\s*f?["'][^"']*["']\s*\)\s*$/,
  weak: /\bis\s+not\s+None\s*$|\bassertIsNotNone\(|\bassert\s+\w+\s*$|\bassertTrue\(\s*\w+\s*\)/,
  skips:
    /\bpytest\.(?:skip|xfail|importorskip)\b|\bmark\.(?:skip|skipif|xfail)\b|\bunittest\.(?:skip\w*|expectedFailure)\b|^[ \t]*@(?:skip\w*|expectedFailure)\b|\.skipTest\s*\(|\bSkipTest\b|\bcollect_ignore\w*|\bpytest_(?:ignore_collect|collection_modifyitems|runtest_\w+)\b|\b__test__\s*=\s*False/gm,
  cuts: /\b(?:if|while)\s*\(?\s*(?:False|0|None|not\s+True)\b|\b(?:sys|os)\._?exit\s*\(|^[ \t]*return[ \t]*$/gm,
  hides: /\bexcept\b[^:\n]{0,120}:\s*(?:pass\b|\.\.\.)|\bcontextlib\.suppress\b|\bsuppress\s*\(/g,
  cases: /^[ \t]*(?:[[{(].*[\]})],?|pytest\.param\s*\(.*)[ \t]*$/gm,
};

/** The end of a file's name that lets Go build it on another system only. */
const OTHER_SYSTEMS =
  "(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|netbsd|openbsd|plan9|solaris|wasip1|windows)(?:_[a-z0-9]+)?|386|arm\\w*|loong64|mips\\w*|ppc64\\w*|riscv64|s390x|wasm";

const go: TestLanguage = {
  files: /\.go$/,
  named: /_test\.go$/,
  passedOver: new RegExp(
    String.raw`(?:^|\/)(?:testdata|vendor)\/|(?:^|\/)[._]|_(?:${OTHER_SYSTEMS})_test\.go$`,
  ),
  places: /_test\.go$/,
  syntax: {
    lineEnds: /\r\n/g,
    // A constraint is a comment that keeps the file from being built.
    openings: new RegExp(
      String.raw`(?<line>\/\/(?!go:build\b|[ \t]*\+build\b))|(?<block>\/\*)|(?<raw>\x60)|(?<string>["'])`,
    ),
  },
  tests:
    /^func\s+(?:\([^()\n]{0,80}\)\s*)?(?<name>(?:Test|Fuzz|Example|Benchmark)\w*)\s*\(|\b\w+\.Run\(\s*(?=["`])/gm,
  assertions:
    /\b(?!err\b)\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|\b(?:require|assert|must|is|suite|s)\.[A-Z]\w*\s*\(|\b(?:Expect|Eventually|Consistently)\s*\(/g,
  empty:
    /\.True\(\s*(?:t,\s*)?true\s*\)|\.(?:Equal|EqualValues)\(\s*(?:t,\s*)?([\w.]+),\s*\1\s*\)|^(?:s|suite|is)\.(?:Run|T|SetT|Suite)\b/,
  weak: /\.(?:NotNil|NotEmpty|NoError|NotPanics)\(/,
  skips:
    /\b\w+\.(?:Skip|Skipf|SkipNow)\s*\(|\btesting\.Short\s*\(|^\/\/(?:go:build|[ \t]*\+build)[ \t]+(?!(?:linux|unix|!windows|amd64|cgo|go1\.\d+)[ \t]*$)/gm,
  only: /\bF(?:It|Describe|Context|Specify|DescribeTable|Entry)\s*\(/g,
  cuts: /\bif\s+(?:false|!true)\b|\bos\.Exit\s*\(|^[ \t]*return[ \t]*$/gm,
  hides: /\brecover\s*\(\s*\)/g,
  cases: /^[ \t]*(?:[\w"]+:\s*)?\{.*\},?[ \t]*$/gm,
};

const rust: TestLanguage = {
  files: /\.rs$/,
  named: /(?:^|\/)tests\//,
  passedOver: /(?:^|\/)tests\/(?!(?:[^/]+|[^/]+\/main)\.rs$)/,
  places: /(?:^|\/)(?:tests|benches)\//,
  inside: /#\[\s*(?:cfg\s*\(\s*(?:\w+\s*\(\s*)?test\b|(?:\w+::)*(?:test|rstest)\b)/,
  syntax: {
    lineEnds: /\r\n/g,
    openings: /(?<line>\/\/)|(?<nested>\/\*)|(?<raw>\b[bc]?r#*")|(?<text>")|(?<string>'(?=\\?["'\\]))/,
  },
  tests:
    /#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b[^\]\n]{0,200}\](?:\s*#\[[^\]\n]{0,200}\]){0,9}\s*(?:[\w()]+\s+){0,3}fn\s+(?<name>\w+)/g,
  annotations: /^[ \t]*#\[/,
  assertions: /\b(?:debug_|prop_)?assert\w*!\s*[([{]|\bpanic!\s*[([{]|\bshould_panic\b/g,
  empty: /assert!\s*\(\s*(?:true|!false|1\s*==\s*1)\s*[,)]|assert_eq!\s*\(\s*([\w.]+)\s*,\s*\1\s*[,)]/,
  weak: /\.is_(?:ok|some|err|none)\(\)\s*[,)]/,
  skips:
    /#\[\s*ignore\b|#!?\[\s*cfg_attr\s*\([^\]\n]{0,120}\bignore\b|#!?\[\s*cfg\s*\(\s*(?:any\s*\(\s*\)|not|feature|target_|FALSE|all\s*\(\s*test\s*,)/g,
  cuts: /\bif\s+(?:false|!true)\b|\bprocess::exit\s*\(|\breturn\s*;/g,
  hides: /\bcatch_unwind\b/g,
  cases: /^[ \t]*(?:\(|#\[\s*case\b|#\[\s*test_case\b)/gm,
};

const java: TestLanguage = {
  files: /\.java$/,
  named: /(?:^|\/)(?:Test[^/]*|[^/]*(?:Tests?|TestCase|IT|Spec))\.java$/,
  places: /(?:^|\/)(?:src\/(?:test|integrationTest|it)|tests?)\//,
  syntax: {
    hasEscapes: true,
    lineEnds: /\r\n?/g,
    openings: new RegExp(String.raw`${SLASHES}|(?<text>""")|(?<string>["'])`),
  },
  tests:
    /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\b[^;]{0,600}?\b(?:void|[A-Z]\w*(?:<[\w<>?, ]{0,60}>)?)\s{1,9}(?<name>\w+)\s{0,9}\(|^[ \t]*public\s{1,9}void\s{1,9}(?<old>test\w*)\s{0,9}\(/gm,
  annotations: /^[ \t]*@/,
  assertions: /(?<![\w$])(?:assert\w*|verify\w*|expect\w*|fail)\s*\(|\bassert\s+[\w!(]|\bexpected\s*=/g,
  empty:
    /assertTrue\(\s*true\b|assertFalse\(\s*false\b|assertThat\(\s*true\s*\)|assert(?:Equals|Same)\(\s*([\w.]+)\s*,\s*\1\s*\)/,
  weak: /\bassertNotNull\(|\.isNotNull\(|\bassertDoesNotThrow\(/,
  skips: /@(?:Disabled\w*|Enabled\w+|Ignore)\b|\bassum(?:e|ing)\w*\s*\(/g,
  cuts: /\b(?:if|while)\s*\(\s*(?:false|!true)\b|\bSystem\s*\.\s*exit\s*\(|\breturn\s*;/g,
  hides: /\bcatch\s*\([^()\n]{0,120}\)\s*\{\s*\}/g,
  cases: /^[ \t]*(?:"|Arguments\.of\b|arguments\b|of\s*\()/gm,
};

const LANGUAGES = [javascript, python, go, rust, java];

/** Returns the language of a file by its name. */
export function languageOf(path: string): TestLanguage | undefined {
  return LANGUAGES.find(({ files }) => files.test(path));
}

/** Numbers that decide how long a test may take, how often it is tried, or how exact it is; more is weaker. */
export const UPPER_LIMITS =
  /\b(?<name>(?:test|hook|set|With)?[tT]imeout(?:Ms|Seconds)?|retry|retries|retryTimes|reruns|flaky|RepeatedTest|delta|tolerance|epsilon|atol|rtol|rel_tol|abs_tol|maxDiffPixels|maxDiffPixelRatio|failureThreshold|threshold|(?:rel|abs)(?=\s*=))\b["']?\s*(?::|=|\((?:[\w.]+,\s*)?(?:\w+\s*=\s*)?)\s*(?<value>\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)/g;
/** The same of which less is weaker. */
export const LOWER_LIMITS =
  /\b(?<name>places|toBeCloseTo|assertions)\b\s*(?:=|\((?:[^\n]{0,200}?,)?)\s*(?<value>\d+)\s*[,)]/g;
/** The time limit of a test as its last argument. */
export const LAST_ARGUMENT = /^[ \t]*\}\s*,\s*(?<value>\d[\d_]*)\s*,?\s*\)/gm;
