import type { RepositoryTop } from "../../src/domain/onboarding/repository-top.ts";

/** What stands at the top of a repository with these files. */
export function aTop(files: Readonly<Record<string, string>>): RepositoryTop {
  const texts = new Map(Object.entries(files));
  return { names: new Set(texts.keys()), texts };
}
