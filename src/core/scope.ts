/** Where a pause holds: everything, or one repository by GitHub's numeric id. */
export type Scope = "all" | `repository:${number}`;

/** Who paused a scope; each lifts only its own pause. */
export type ScopeHolder = "person" | "incident";

/** While it stands, no agent of the scope starts or wakes. At most one for each scope and holder. */
export interface ScopePauseRow {
  readonly id: number;
  readonly scope: Scope;
  readonly holder: ScopeHolder;
  /** A login, the operator's account name, or `flotilla`. */
  readonly by: string;
  readonly reason: string | null;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export function repositoryScope(repositoryId: number): Scope {
  return `repository:${repositoryId}`;
}

/** The pause in words, with what lifts it. */
export function pauseText(pause: Omit<ScopePauseRow, "id" | "since">): string {
  const what = pause.scope === "all" ? "everything is paused" : "this repository is paused";
  const why = pause.reason === null ? "" : `: ${pause.reason}`;
  return `${what} by ${pause.holder === "incident" ? "an incident" : pause.by}${why}`;
}

/** What ends the pause. */
export function pauseLift(pause: Pick<ScopePauseRow, "scope" | "holder">): string {
  if (pause.holder === "incident") return "it is lifted when the incident is over";
  return pause.scope === "all"
    ? "`flotilla resume --all` lifts it"
    : "`flotilla resume --repo owner/name` lifts it";
}
