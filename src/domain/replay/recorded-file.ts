import type { RepositoryRef } from "../kernel/repository.ts";
import type { RepositoryOverride } from "../settings/repository-override.ts";
import { questionOf } from "./recorded-answers.ts";

/** What a repository's own file said is kept among the answers, under this question. */
export function repositoryConfigQuestion(repository: RepositoryRef): string {
  return questionOf("ownFile", [repository]);
}

/** As much of an override as decisions look at: the prompts, by far the longest of it, only an agent reads. */
export function withoutPrompts(override: RepositoryOverride): RepositoryOverride {
  const roles = Object.entries(override.roles).map(([name, role]) => [
    name,
    role.file === undefined ? role : { ...role, file: { ...role.file, prompt: "" } },
  ]);
  return { ...override, roles: Object.fromEntries(roles) };
}
