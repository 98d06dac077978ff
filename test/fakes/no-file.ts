import type { Settings } from "../../src/domain/settings/settings.ts";

/** Repositories without a file of their own: the operator's settings hold everywhere. */
export function noFile(settings: Settings) {
  return { fresh: () => Promise.resolve(settings), look: () => Promise.resolve() };
}
