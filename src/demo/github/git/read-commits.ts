import { git } from "./run.ts";
import { type CommitSignature, signatureOf, signedCommits } from "./signatures.ts";

export interface GitCommit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string; readonly date: string };
  readonly committer: { readonly name: string; readonly email: string; readonly date: string };
  readonly message: string;
  /** Undefined where nobody signed it. */
  readonly signature: CommitSignature | undefined;
}

const fields = ["%H", "%T", "%P", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%B"];

/** Returns the commits that `git log` lists for `range`, newest first. */
export async function readCommits(
  directory: string,
  range: readonly string[],
  limit?: number,
): Promise<readonly GitCommit[]> {
  const count = limit === undefined ? [] : [`--max-count=${limit}`];
  const format = `--format=${fields.join("%x1f")}%x1e`;
  const text = await git(directory, ["log", format, ...count, "--end-of-options", ...range, "--"]);
  const commits = text
    .split("\x1e")
    .map((entry) => entry.replace(/^\n/, ""))
    .filter((entry) => entry !== "")
    .map(parse);
  const signed = await signedCommits(directory);
  return Promise.all(
    commits.map(async (commit) => ({
      ...commit,
      signature: signed.has(commit.sha) ? await signatureOf(directory, commit.sha) : undefined,
    })),
  );
}

/** Reads one commit by its id. Throws if it does not exist. */
export async function readCommit(directory: string, sha: string): Promise<GitCommit> {
  const [commit] = await readCommits(directory, [sha], 1);
  if (commit === undefined) throw new Error(`There is no commit ${sha} in ${directory}.`);
  return commit;
}

export async function countCommits(directory: string, range: string): Promise<number> {
  return Number(await git(directory, ["rev-list", "--count", range, "--"]));
}

function parse(entry: string): Omit<GitCommit, "signature"> {
  const [
    sha = "",
    tree = "",
    parents = "",
    an = "",
    ae = "",
    at = "0",
    cn = "",
    ce = "",
    ct = "0",
    ...message
  ] = entry.split("\x1f");
  return {
    sha,
    tree,
    parents: parents === "" ? [] : parents.split(" "),
    author: { name: an, email: ae, date: isoOf(at) },
    committer: { name: cn, email: ce, date: isoOf(ct) },
    message: message.join("\x1f").replace(/\n+$/, ""),
  };
}

function isoOf(seconds: string): string {
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}
