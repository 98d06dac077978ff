import { createHash } from "node:crypto";
import { matchesGlob } from "node:path";
import type { Worktrees } from "../../src/domain/ports/worktrees.ts";
import type { FakeCommits } from "./fake-commits.ts";
import { fail } from "./worktree-names.ts";

/** Reads files of the fake's commits; all of them are plain files. */
export function createFakeTreeFiles(commits: FakeCommits): Pick<Worktrees, "filesAt" | "blob" | "texts"> {
  const blobs = new Map<string, string>();
  return {
    async filesAt(_repository, commit, { patterns, most }) {
      if (!commits.has(commit)) fail("commit_missing", "stop");
      const found = [...commits.tree(commit)].filter(([path]) =>
        patterns.some((pattern) => matchesGlob(path, pattern)),
      );
      return found
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, most)
        .map(([path, text]) => {
          const blob = createHash("sha1").update(text).digest("hex");
          blobs.set(blob, text);
          return { path, kind: "file" as const, blob, bytes: Buffer.byteLength(text) };
        });
    },
    async blob(_repository, blob, most) {
      const text = blobs.get(blob) ?? fail("failed", "stop");
      return Buffer.from(text).subarray(0, most).toString();
    },
    async texts(_repository, wanted) {
      return new Map(
        wanted.flatMap((blob) => {
          const text = blobs.get(blob);
          return text === undefined ? [] : [[blob, text]];
        }),
      );
    },
  };
}
