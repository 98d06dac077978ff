/**
 * The address of a repository. The numeric id is GitHub's and survives renames; owner and name are the latest known.
 */
export interface RepositoryRef {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly installationId: number;
}

/** Returns `owner/name`. */
export function fullName(repository: Pick<RepositoryRef, "owner" | "name">): string {
  return `${repository.owner}/${repository.name}`;
}

/** Splits `owner/name`; undefined for a text of another form. */
export function parseFullName(text: string): { owner: string; name: string } | undefined {
  const match = /^([A-Za-z0-9-]+)\/([A-Za-z0-9._-]+)$/.exec(text);
  return match?.[1] && match[2] ? { owner: match[1], name: match[2] } : undefined;
}
