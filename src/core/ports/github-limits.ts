/** Where GitHub's limits hold something back at this moment. */
export interface GitHubWait {
  /** `app`, `installation <id>`, or `*` for every account. */
  readonly account: string;
  /** What waits: every request, or only what makes something new that people see. */
  readonly what: "everything" | "content";
  /** When it continues, milliseconds since the epoch. */
  readonly until: number;
}

/** What GitHub's limits leave to the account that has least of it. */
export interface GitHubLeft {
  /** Of this minute; 1 for a read, 5 for a write. */
  readonly points: number;
  /** Things made that people see. */
  readonly contentOfMinute: number;
  readonly contentOfHour: number;
}

/** What GitHub's limits leave; asks nothing of GitHub. */
export interface GitHubLimits {
  /** Empty while nothing is held back. */
  limitWaits(): readonly GitHubWait[];
}

export interface GitHubLeftovers {
  limitsLeft(): GitHubLeft;
}
