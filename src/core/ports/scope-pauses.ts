import type { Scope, ScopeHolder, ScopePauseRow } from "../scope.ts";

/** Scopes in which nothing starts or wakes. */
export interface ScopePauseTable {
  /** False when the holder has paused the scope already. */
  add(pause: Omit<ScopePauseRow, "id">): Promise<boolean>;
  /** False when there was none. */
  lift(scope: Scope, holder: ScopeHolder): Promise<boolean>;
  /** Those that hold the agents of a repository, oldest first. */
  over(repositoryId: number): Promise<readonly ScopePauseRow[]>;
  list(): Promise<readonly ScopePauseRow[]>;
}
