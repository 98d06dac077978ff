/** Directories of a commit in which files count as tests, or as what tests read; see `isTestPath`. */
export interface TestPlaces {
  readonly tests: ReadonlySet<string>;
  readonly data: ReadonlySet<string>;
}

/** How runners and compilers tell a test by its name. Names that product code has as well, such as `test.ts`, are not here. */
const TEST_NAME =
  /[._-](?:test|spec|cy|e2e|test-d)\.[cm]?[jt]sx?$|(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.py$|_test\.(?:go|exs|dart|cc|cpp|cxx)$|_(?:spec|test)\.(?:rb|lua)$|(?:^|\/)test_[^/]*\.(?:rb|[rR])$|[^/](?:Test|Tests|TestCase|Spec|Specs|IT)\.(?:java|kts?|scala|groovy|cs|fs|vb|swift|php|mm?|cc|cpp)$|\.bats$|\.t$/;
/** The build tools of the JVM put what lies here into the product, whatever its name is. */
const PRODUCT = /(?:^|\/)src\/main\//;

/** No `specs`, `integration` or `snapshots`: products have parts of these names, with their tests beside the code. */
const TESTS = /^(?:tests?|__tests__|spec|e2e|cypress)$/i;
const TEST_DATA = /^(?:testdata|__?fixtures__|fixtures?|__snapshots__|snapshots|golden)$/i;
/** Names that mean nothing but tests where they are at the top of a package. */
const TESTS_OF_PACKAGE = /^(?:tests?|__tests__|spec)$/i;
const PACKAGE =
  /(?:^|\/)(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|Cargo\.toml|go\.mod|Gemfile|[^/]+\.gemspec|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.(?:cs|fs|vb)proj|mix\.exs|pubspec\.yaml|Package\.swift|CMakeLists\.txt|meson\.build)$/;

const SOURCE =
  /\.(?:[cm]?[jt]sx?|mdx|vue|svelte|astro|py|pyi|go|rs|java|kts?|scala|groovy|clj[cs]?|rb|php|c|h|cc|cpp|cxx|hpp|m|mm|cs|fs|vb|swift|dart|ex|exs|erl|hs|ml|mli|lua|pl|pm|r|jl|sh|bash|zsh|fish|ps1|bat|html?|css|s[ac]ss|less|graphql|proto)$/i;

/** Returns whether the file is code by the end of its name. */
export const isSource = (path: string): boolean => SOURCE.test(path);

const isNamedTest = (path: string): boolean => TEST_NAME.test(path) && !PRODUCT.test(path);

/** Returns whether the file is a test by its own name, or lies where tests were. */
export function isTestPath(path: string, { tests, data }: TestPlaces): boolean {
  if (isNamedTest(path)) return true;
  const above = directoriesOf(path);
  return above.some((one) => tests.has(one)) || (!isSource(path) && above.some((one) => data.has(one)));
}

/** Returns the patterns of files that decide whether the paths lie among tests, as `Worktrees.filesAt` reads patterns. */
export function patternsOfTests(paths: readonly string[]): readonly string[] {
  const asked = candidates(paths).flatMap((one) => [`${one}/**`, `${parentOf(one)}/*`.replace(/^\//, "")]);
  // A name may contain what a pattern reads as a wildcard.
  return [...new Set(asked.map((one) => one.replaceAll(/[[\]\\?{}]/g, "?")))];
}

/**
 * Returns the directories on the way to the paths that held tests when the commit had these files. One whose name says
 * so is not enough, since whoever changes the product chooses names.
 */
export function testPlaces(paths: readonly string[], files: readonly string[]): TestPlaces {
  const named = new Set<string>();
  const holdCode = new Set<string>();
  const besideTests = new Set<string>();
  const packages = new Set([""]);
  for (const file of files) {
    const above = directoriesOf(file);
    if (isNamedTest(file)) {
      for (const one of above) named.add(one);
      besideTests.add(above.at(-1) ?? "");
    }
    if (isSource(file)) for (const one of above) holdCode.add(one);
    if (PACKAGE.test(file)) packages.add(above.at(-1) ?? "");
  }
  const found = candidates(paths);
  return {
    tests: new Set(
      found.filter(
        (one) =>
          (TESTS.test(nameOf(one)) && named.has(one)) ||
          (TESTS_OF_PACKAGE.test(nameOf(one)) && packages.has(parentOf(one)) && holdCode.has(one)),
      ),
    ),
    data: new Set(found.filter((one) => TEST_DATA.test(nameOf(one)) && besideTests.has(parentOf(one)))),
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
/** Empty for the top. */
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Returns the directories above a path, the outermost first. */
function directoriesOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

const candidates = (paths: readonly string[]): readonly string[] => [
  ...new Set(
    paths.flatMap((path) =>
      directoriesOf(path).filter((one) => TESTS.test(nameOf(one)) || TEST_DATA.test(nameOf(one))),
    ),
  ),
];
