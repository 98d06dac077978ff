/** What stands at the top of a repository's default branch: it tells the languages and how they are tested. */
export interface RepositoryTop {
  /** The names of the regular files there. */
  readonly names: ReadonlySet<string>;
  /** The texts of those among them that are read, by name; a file that is too long has none. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A command that a file of the repository suggests, and why. Neither contains text of the file. */
export interface SeenCommand {
  readonly command: string;
  readonly why: string;
  /** How it ended when it was tried without success: it is then proposed as a comment. */
  readonly inTrial?: string;
}

/** Returns a file's text; empty where it is missing or was not read. */
export const textOf = ({ texts }: RepositoryTop, name: string): string => texts.get(name) ?? "";

/** Returns the first of these files that is there. */
export const firstThere = ({ names }: RepositoryTop, wanted: readonly string[]): string | undefined =>
  wanted.find((name) => names.has(name));
