import type { Scope } from "../../domain/breakers/scope.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Permission } from "../../domain/ports/github.ts";
import type { OfRepositories } from "../../domain/ports/lists.ts";
import type { RepositoryTable } from "../../domain/ports/store.ts";

/** Who asks: the holder of the token, who runs Flotilla, or a person whom GitHub has named. */
export type Viewer =
  | { readonly kind: "operator" }
  | { readonly kind: "person"; readonly login: string; readonly id: number };

/** What a viewer may see and do. */
export interface Rights {
  readonly viewer: Viewer;
  readonly mayRead: (repositoryId: number) => Promise<boolean>;
  readonly mayAct: (repositoryId: number) => Promise<boolean>;
  /** Ids of the repositories that may be read; null for all. Asked once for all that one request reads. */
  readonly repositories: () => Promise<OfRepositories>;
}

export interface RightsParts {
  readonly repositories: Pick<RepositoryTable, "get" | "all">;
  /** Asks GitHub; answers may be a minute old. */
  readonly permission: (
    repository: RepositoryRow,
    who: { readonly login: string; readonly id: number },
  ) => Promise<Permission>;
  /** Whether a permission is enough for a command. */
  readonly mayCommand: (permission: Permission) => boolean;
}

/** The operator may all; a person what GitHub says, asked again for each request. What cannot be read counts as no. */
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

/** Those of the rows that may be read, in their order; one that belongs to no repository is the operator's alone. */
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

/** That everything is paused is no secret; of a repository only those who may read it know. */
export async function mayKnow<Row extends { readonly scope: Scope }>(
  { mayRead }: Rights,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const may = await Promise.all(
    rows.map(async ({ scope }) => scope === "all" || mayRead(Number(scope.slice("repository:".length)))),
  );
  return rows.filter((_, index) => may[index]);
}
