import type { RepositoryRef } from "../kernel/repository.ts";
import type { RepositoryOverride } from "../settings/repository-override.ts";
import { questionOf } from "./recorded-answers.ts";

/** Returns the key under which a repository's own file is kept among the answers. */
export function repositoryConfigQuestion(repository: RepositoryRef): string {
  return questionOf("ownFile", [repository]);
}

/** Drops the prompts of an override: they are by far its longest part, and only agents read them. */
export function withoutPrompts(override: RepositoryOverride): RepositoryOverride {
  const roles = Object.entries(override.roles).map(([name, role]) => [
    name,
    role.file === undefined ? role : { ...role, file: { ...role.file, prompt: "" } },
  ]);
  return { ...override, roles: Object.fromEntries(roles) };
}
