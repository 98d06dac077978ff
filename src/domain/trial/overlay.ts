import { roleOf, settingLines } from "../evidence/test-files.ts";
import { isTestPath, testPlaces } from "../merge-queue/test-places.ts";

/** Which paths of a result are as the real change has them when the result is judged. */
export interface Overlaid {
  /** Paths that the real change made, changed or deleted. */
  readonly real: readonly string[];
  /** Those of the agent. */
  readonly own: readonly string[];
  /** All files from before the work. */
  readonly before: readonly string[];
  /** The texts of settings that either changed, by path; undefined where there is no such file. */
  readonly settings: ReadonlyMap<string, SettingTexts>;
}

interface SettingTexts {
  readonly real: string | undefined;
  readonly own: string | undefined;
}

/** What names the packages that are installed, and what package managers write about these. */
const PACKAGES =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|pyproject\.toml|setup\.(?:py|cfg)|poetry\.lock|uv\.lock|pdm\.lock|Pipfile(?:\.lock)?|requirements[^/]*\.txt|Gemfile(?:\.lock)?|composer\.(?:json|lock)|mix\.(?:exs|lock)|pubspec\.(?:yaml|lock)|pom\.xml|[^/]*\.gradle(?:\.kts)?|gradle\.lockfile)$/;

/** Returns the paths that are tests, or what tests read; `before` = all files from before the work. */
export function testPaths(paths: readonly string[], before: readonly string[]): readonly string[] {
  const places = testPlaces(paths, before);
  return paths.filter((path) => isTestPath(path, places));
}

/** Returns the paths whose texts `overlaid` needs. */
export function settingPaths(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => roleOf(path) === "settings");
}

/**
 * Returns the paths that are laid over an agent's result. Tests, and what only says how they run, are as the real change has
 * them, whoever changed them: an agent's own tests measure nothing, and may collide with the real ones. Files that name
 * packages are the real ones where the agent left them as they were, since the real tests may need what those add. Where the
 * agent changed how tests run, the real files are laid over as well.
 */
export function overlaid({ real, own, before, settings }: Overlaid): readonly string[] {
  const all = [...new Set([...real, ...own])];
  const isTest = new Set(testPaths(all, before));
  const tests = all.filter((path) => isTest.has(path) || roleOf(path) === "configuration");
  const ofAgent = new Set(own);
  const others = all.filter((path) => !tests.includes(path));
  const packages = others.filter((path) => PACKAGES.test(path));
  // Package managers refuse a lock that does not fit, so those of a directory stay together.
  const together = [
    ...Map.groupBy(packages, (path) => path.slice(0, path.lastIndexOf("/") + 1)).values(),
  ].filter(
    (paths) =>
      !paths.some((path) => ofAgent.has(path)) || paths.some((path) => runsElse(path, settings.get(path))),
  );
  const alone = others.filter(
    (path) => !PACKAGES.test(path) && roleOf(path) === "settings" && runsElse(path, settings.get(path)),
  );
  return [...tests, ...together.flat(), ...alone].toSorted();
}

/** Returns whether tests run in another way by the agent's text of these settings than by the real one. */
function runsElse(path: string, texts: SettingTexts | undefined): boolean {
  if (texts === undefined) return false;
  const lines = (text: string | undefined) => (text === undefined ? "" : settingLines(path, text).join("\n"));
  return lines(texts.own) !== lines(texts.real);
}
