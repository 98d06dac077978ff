/**
 * What a commit has at a path. Equal ids are equal content. A link and another repository have no text; a binary file
 * has none that people read; a large one is larger than was asked for, and one beyond did not fit in all.
 */
export type FileContent =
  | { readonly kind: "text"; readonly id: string; readonly text: string }
  | { readonly kind: "link" | "repository" | "binary" | "large" | "beyond"; readonly id: string };

/** A file that a branch changes; null where there is none. */
export interface ChangedFile {
  readonly path: string;
  readonly before: FileContent | null;
  readonly after: FileContent | null;
}

/** How much is read of a change. */
export interface ReadBounds {
  readonly files: number;
  readonly fileBytes: number;
  /** Of all files together. */
  readonly bytes: number;
}
