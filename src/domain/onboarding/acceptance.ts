import { hasTestScript, nodePackages } from "./node-package.ts";
import { VENV_PYTHON } from "./preparation.ts";
import { pytestFile } from "./python-tests.ts";
import { type RepositoryTop, type SeenCommand, textOf } from "./repository-top.ts";

/** Finds how one language is tested; null where nothing says it. `prepared` = a setup command makes Python's `.venv`. */
type Sign = (top: RepositoryTop, prepared: boolean) => SeenCommand | null;

const when = (seen: boolean, command: string, why: string): SeenCommand | null =>
  seen ? { command, why } : null;

const makefile: Sign = (top) =>
  when(/^test[ \t]*:(?!=)/m.test(textOf(top, "Makefile")), "make test", "Makefile has a target test");

const node: Sign = (top) =>
  when(hasTestScript(top), `${nodePackages(top)?.manager ?? "npm"} test`, "package.json has a script test");

const python: Sign = (top, prepared) => {
  const file = pytestFile(top);
  const pytest = `${prepared ? VENV_PYTHON : "python3"} -m pytest`;
  return file === undefined ? null : { command: pytest, why: `${file} configures pytest` };
};

const tox: Sign = (top) =>
  when(/^\[(?:tox|testenv)[\]:]/m.test(textOf(top, "tox.ini")), "tox", "tox.ini has test environments");

const rust: Sign = (top) =>
  when(
    /^\[(?:package|workspace)\]/m.test(textOf(top, "Cargo.toml")),
    "cargo test",
    "Cargo.toml is a package or a workspace",
  );

const go: Sign = (top) =>
  when(/^module\s+\S/m.test(textOf(top, "go.mod")), "go test ./...", "go.mod names a module");

const java: Sign = (top) =>
  when(/<project[\s>]/.test(textOf(top, "pom.xml")), "mvn -B -o test", "pom.xml is a project");

/** Builds outside the checkout, so that nothing is left in it that a commit could take along. */
const cmake: Sign = (top) =>
  when(
    /^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\b)/im.test(textOf(top, "CMakeLists.txt")),
    'cmake -S . -B "$TMPDIR/cmake" && cmake --build "$TMPDIR/cmake" && ctest --test-dir "$TMPDIR/cmake" --output-on-failure',
    "CMakeLists.txt has tests",
  );

/**
 * Returns the acceptance commands that a repository suggests. `also` are those that most likely run within another: a
 * Makefile's target runs the tests of its languages, and tox runs pytest.
 */
export function seenTests(
  top: RepositoryTop,
  prepared: boolean,
): { readonly run: readonly SeenCommand[]; readonly also: readonly SeenCommand[] } {
  const all = (signs: readonly Sign[]) => signs.flatMap((sign) => sign(top, prepared) ?? []);
  const [make, pytest, byTox] = [all([makefile]), all([python]), all([tox])];
  const languages = [
    ...all([node]),
    ...pytest,
    ...(pytest.length === 0 ? byTox : []),
    ...all([rust, go, java, cmake]),
  ];
  const within = pytest.length === 0 ? [] : byTox;
  return make.length === 0
    ? { run: languages, also: within }
    : { run: make, also: [...languages, ...within] };
}
