import type { Settings } from "../../src/domain/settings/settings.ts";

/** Creates the settings of repositories without their own file: the operator's settings apply everywhere. */
export function noFile(settings: Settings) {
  return { fresh: () => Promise.resolve(settings), refresh: () => Promise.resolve() };
}
