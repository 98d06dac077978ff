import { git, gitBytes } from "./run.ts";

export const zeroSha = "0".repeat(40);

/** Reads all refs of a repository: name → object id. */
export async function readRefs(directory: string): Promise<Map<string, string>> {
  const text = await git(directory, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  const lines = text === "" ? [] : text.split("\n");
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
}

/** Resolves a branch, tag, full ref or object id to a commit; undefined if it names none. */
export async function resolveCommit(directory: string, name: string): Promise<string | undefined> {
  if (name.startsWith("-")) return undefined;
  for (const candidate of [`refs/heads/${name}`, `refs/tags/${name}`, name]) {
    const { code, stdout } = await gitBytes(
      directory,
      ["rev-parse", "--verify", "--quiet", "--end-of-options", `${candidate}^{commit}`],
      { accept: [1, 128] },
    );
    if (code === 0) return stdout.toString().trim();
  }
  return undefined;
}

/** Returns the object that a full ref names, or undefined. */
export async function readRef(directory: string, ref: string): Promise<string | undefined> {
  return (await readRefs(directory)).get(ref);
}

/** Moves, creates or (with `zeroSha`) deletes a ref. Fails if the ref is not at `before`. */
export async function updateRef(
  directory: string,
  ref: string,
  after: string,
  before: string,
): Promise<void> {
  if (after === zeroSha) await git(directory, ["update-ref", "-d", ref, before]);
  else await git(directory, ["update-ref", ref, after, before]);
}

export async function isAncestor(directory: string, ancestor: string, descendant: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", ancestor, descendant];
  return (await gitBytes(directory, args, { accept: [1] })).code === 0;
}

export async function mergeBase(directory: string, a: string, b: string): Promise<string | undefined> {
  const { code, stdout } = await gitBytes(directory, ["merge-base", a, b], { accept: [1] });
  return code === 0 ? stdout.toString().trim() : undefined;
}

/** Returns whether git accepts the name for a ref. */
export async function isRefName(directory: string, ref: string): Promise<boolean> {
  return (await gitBytes(directory, ["check-ref-format", ref], { accept: [1] })).code === 0;
}
