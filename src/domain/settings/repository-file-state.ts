import type { RepositoryFileRow } from "../ports/settings-tables.ts";

/** How a repository's own file stands, as it was read last. Blobs are the names that git gives contents, in hex. */
export type RepositoryFileStanding =
  | { readonly state: "unread" | "none" }
  | { readonly state: "in_force"; readonly blob: string }
  /** `held` = what it said last without a fault, which holds still; null where the operator's settings do. */
  | {
      readonly state: "faulty";
      readonly blob: string;
      readonly held: string | null;
      readonly faults: readonly string[];
    };

/** `row` = what is kept of the repository; undefined where its file was never read. */
export function repositoryFileStanding(
  row: Pick<RepositoryFileRow, "fingerprint" | "source" | "faults"> | undefined,
): RepositoryFileStanding {
  if (row === undefined) return { state: "unread" };
  const { fingerprint, source, faults } = row;
  if (fingerprint === "") return { state: "none" };
  const blob = blobOf(fingerprint);
  if (faults.length === 0) return { state: "in_force", blob };
  return { state: "faulty", blob, held: source === null ? null : blobOf(source), faults };
}

/** A fingerprint begins with the blob of the file itself. */
function blobOf(fingerprint: string): string {
  return fingerprint.replace(/ .*$/, "");
}
