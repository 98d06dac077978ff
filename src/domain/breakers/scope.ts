/** What a pause applies to: everything, or one repository by GitHub's numeric id. */
export type Scope = "all" | `repository:${number}`;

/**
 * Who paused a scope; each holder removes only its own pause. `file` is an operator's file in the data directory, PAUSE or
 * ABORT, which the reason names; `suspended` and `archived` are GitHub's states: the App's installation is suspended, the
 * repository is archived.
 */
export const SCOPE_HOLDERS = ["person", "file", "incident", "suspended", "archived"] as const;
export type ScopeHolder = (typeof SCOPE_HOLDERS)[number];

/** While one of these holds a repository, GitHub accepts no writes there. */
export const SHUT_HOLDERS = ["suspended", "archived"] as const satisfies readonly ScopeHolder[];

/** A pause: while the row exists, no agent of the scope starts or wakes. At most one for each scope and holder. */
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

/** Returns the pause in words, with what ends it. */
export function pauseText(pause: Omit<ScopePauseRow, "id" | "since">): string {
  const what = pause.scope === "all" ? "everything is paused" : "this repository is paused";
  const why = pause.reason === null ? "" : `: ${pause.reason}`;
  switch (pause.holder) {
    case "suspended":
      return `the App's installation was suspended by ${pause.by}`;
    case "archived":
      return `the repository was archived by ${pause.by}`;
    case "file":
      return `all agents are held by ${pause.reason ?? "a file"} in the data directory`;
    case "incident":
      return `${what} by an incident${why}`;
    case "person":
      return `${what} by ${pause.by}${why}`;
  }
}

/** Returns what ends the pause. */
export function pauseLift(pause: Pick<ScopePauseRow, "scope" | "holder" | "reason">): string {
  switch (pause.holder) {
    case "suspended":
      return "it continues when the installation is unsuspended in GitHub's settings of the App";
    case "archived":
      return "it continues when the repository is unarchived";
    case "file":
      return `remove ${pause.reason ?? "the file"} from the data directory to let them continue`;
    case "incident":
      return "the pause ends when the incident is over";
    case "person":
      return pause.scope === "all"
        ? "`flotilla resume --all` lifts it"
        : "`flotilla resume --repo owner/name` lifts it";
  }
}
