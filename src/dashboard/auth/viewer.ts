import type { Scope } from "../../domain/breakers/scope.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Permission } from "../../domain/ports/github.ts";
import type { OfRepositories } from "../../domain/ports/lists.ts";
import type { RepositoryTable } from "../../domain/ports/store.ts";

/** Who is asking: the operator, who has the token, or a person identified by GitHub. */
export type Viewer =
  | { readonly kind: "operator" }
  | { readonly kind: "person"; readonly login: string; readonly id: number };

/** What a viewer may see and do. */
export interface Rights {
  readonly viewer: Viewer;
  readonly mayRead: (repositoryId: number) => Promise<boolean>;
  readonly mayAct: (repositoryId: number) => Promise<boolean>;
  /** Ids of the repositories that the viewer may read; null means all. Computed once per request. */
  readonly repositories: () => Promise<OfRepositories>;
}

export interface RightsParts {
  readonly repositories: Pick<RepositoryTable, "get" | "all">;
  /** Asks GitHub for a person's permission; answers may be a minute old. */
  readonly permission: (
    repository: RepositoryRow,
    who: { readonly login: string; readonly id: number },
  ) => Promise<Permission>;
  /** Returns whether a permission is enough for commands. */
  readonly mayCommand: (permission: Permission) => boolean;
}

/**
 * Returns the viewer's rights. The operator may do everything; a person may do what GitHub says, which is asked again
 * for each request. An error counts as no permission.
 */
export function rightsOf(viewer: Viewer, parts: RightsParts): Rights {
  if (viewer.kind === "operator")
    return { viewer, mayRead: async () => true, mayAct: async () => true, repositories: async () => null };
  const permission = async (repositoryId: number): Promise<Permission> => {
    const repository = await parts.repositories.get(repositoryId);
    if (repository === undefined) return "none";
    return parts.permission(repository, viewer).catch((): Permission => "none");
  };
  const mayRead = async (repositoryId: number) => (await permission(repositoryId)) !== "none";
  const readableOf = async (): Promise<readonly number[]> => {
    const all = await parts.repositories.all();
    const may = await Promise.all(all.map(({ id }) => mayRead(id)));
    return all.flatMap(({ id }, index) => (may[index] === true ? id : []));
  };
  let mine: Promise<readonly number[]> | undefined;
  return {
    viewer,
    mayRead,
    repositories: () => (mine ??= readableOf()),
    mayAct: async (repositoryId) => parts.mayCommand(await permission(repositoryId)),
  };
}

/** Returns the rows that the viewer may read, in order. Only the operator may read rows without a repository. */
export async function readable<Row>(
  { viewer, mayRead }: Rights,
  rows: readonly Row[],
  repositoryOf: (row: Row) => number | null,
): Promise<readonly Row[]> {
  if (viewer.kind === "operator") return rows;
  const ids = [...new Set(rows.flatMap((row) => repositoryOf(row) ?? []))];
  const may = new Map(await Promise.all(ids.map(async (id) => [id, await mayRead(id)] as const)));
  return rows.filter((row) => may.get(repositoryOf(row) ?? Number.NaN) === true);
}

/**
 * Returns the pauses that the viewer may know of: a pause of everything, and pauses of repositories that they may read.
 */
export async function mayKnow<Row extends { readonly scope: Scope }>(
  { mayRead }: Rights,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const may = await Promise.all(
    rows.map(async ({ scope }) => scope === "all" || mayRead(Number(scope.slice("repository:".length)))),
  );
  return rows.filter((_, index) => may[index]);
}
