import { type RepositoryTop, textOf } from "./repository-top.ts";

const PYTEST: readonly (readonly [file: string, sign: RegExp])[] = [
  ["pyproject.toml", /^\[tool\.pytest[\].]/m],
  ["pytest.ini", /^\[pytest\]/m],
  ["setup.cfg", /^\[tool:pytest\]/m],
];

/** Returns the file in which a repository configures pytest. */
export function pytestFile(top: RepositoryTop): string | undefined {
  return PYTEST.find(([file, sign]) => sign.test(textOf(top, file)))?.[0];
}

/** Returns true where the tests run by pytest, which the repository's own requirements may leave out. */
export const configuresPytest = (top: RepositoryTop): boolean => pytestFile(top) !== undefined;

/** The files that are read for it. */
export const PYTEST_FILES: readonly string[] = PYTEST.map(([file]) => file);
