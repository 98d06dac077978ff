/** A file that the next commit would change. */
export interface PendingFile {
  readonly path: string;
  /** git's mode of it, null where it is deleted; `before` null where it is new. */
  readonly mode: string | null;
  readonly before: string | null;
  readonly bytes: number;
  /** Where a symbolic link leads; null for everything else. */
  readonly link: string | null;
}

/** What the next commit and push would bring to the server that it does not have. What comes from the base is not in it. */
export interface PendingWork {
  /** The tree that it would have; where its files are too much to be read, what stands for them as they are. */
  readonly tree: string;
  readonly files: readonly PendingFile[];
  /** All paths of that tree. */
  readonly paths: readonly string[];
  /** Those of them that are symbolic links. */
  readonly links: readonly string[];
  /** All that is new, line by line, also in commits that are not pushed and in files that are no text; empty where the files are more than `limit` bytes. */
  readonly patch: string;
  /** Paths that no commit can hold: nested repositories, which end with a slash, and names that git refuses. */
  readonly leftOut: readonly string[];
}
