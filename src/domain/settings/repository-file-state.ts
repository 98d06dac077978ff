import type { RepositoryFileRow } from "../ports/settings-tables.ts";

/** The state of a repository's own file, as last read. Blobs are git's hashes of contents, in hex. */
export type RepositoryFileState =
  | { readonly state: "unread" | "none" }
  | { readonly state: "in_force"; readonly blob: string }
  /** `held` = the last content without a fault, which still applies; null where the operator's settings apply. */
  | {
      readonly state: "faulty";
      readonly blob: string;
      readonly held: string | null;
      readonly faults: readonly string[];
    };

/** `row` = the stored reading of the repository; undefined where its file was never read. */
export function repositoryFileState(
  row: Pick<RepositoryFileRow, "fingerprint" | "source" | "faults"> | undefined,
): RepositoryFileState {
  if (row === undefined) return { state: "unread" };
  const { fingerprint, source, faults } = row;
  if (fingerprint === "") return { state: "none" };
  const blob = blobOf(fingerprint);
  if (faults.length === 0) return { state: "in_force", blob };
  return { state: "faulty", blob, held: source === null ? null : blobOf(source), faults };
}

/** Returns the blob of the file itself, with which a fingerprint begins. */
function blobOf(fingerprint: string): string {
  return fingerprint.replace(/ .*$/, "");
}
