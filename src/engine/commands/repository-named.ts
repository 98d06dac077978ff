import { OperationError } from "../../domain/commands/operation-fault.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Tables } from "../../domain/ports/store.ts";

/** Returns the repository of a name `owner/name`. Throws `OperationError` not_found. */
export async function repositoryNamed(
  { repositories }: Pick<Tables, "repositories">,
  fullName: string,
): Promise<RepositoryRow> {
  const parsed = parseFullName(fullName);
  const found = parsed && (await repositories.byName(parsed.owner, parsed.name));
  if (found === undefined) throw new OperationError({ code: "not_found", what: `repository ${fullName}` });
  return found;
}
