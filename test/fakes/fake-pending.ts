import { createHash } from "node:crypto";
import type { PendingWork } from "../../src/domain/ports/agent-tables.ts";
import { changedBetween, patchBetween, type Tree } from "./fake-commits.ts";

/** Returns an id that is the same for the same files. */
export function treeIdOf(tree: Tree): string {
  const files = JSON.stringify([...tree].map((file) => JSON.stringify(file)).toSorted());
  return createHash("sha1").update(files).digest("hex");
}

/** Returns what the fake's next push would bring to the server. Every file is an ordinary one. */
export function pendingBetween(before: Tree, after: Tree, limit: number): PendingWork {
  const patch = patchBetween(before, after);
  return {
    tree: treeIdOf(after),
    files: changedBetween(before, after).map((path) => ({
      path,
      mode: after.has(path) ? "100644" : null,
      before: before.has(path) ? "100644" : null,
      bytes: after.get(path)?.length ?? 0,
      link: null,
    })),
    paths: [...after.keys()],
    links: [],
    leftOut: [],
    patch: patch.length > limit ? "" : patch,
  };
}
