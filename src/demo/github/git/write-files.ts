import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { git } from "./run.ts";

export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Whom GitHub names as the committer of what it commits itself. */
export const GITHUB_COMMITTER = { name: "GitHub", email: "noreply@github.com" };

/** Files of a commit by path; null removes the file. */
export type FileChanges = Readonly<Record<string, string | Buffer | null>>;

/**
 * Creates one commit on `branch` on top of `parent` (undefined: a first commit) and moves the branch to it. `ref` = the full
 * name of another ref in place of the branch. Returns the new commit's id.
 */
export async function commitFiles(
  directory: string,
  commit: {
    branch: string;
    ref?: string;
    parent: string | undefined;
    message: string;
    author: Signature;
    files: FileChanges;
  },
): Promise<string> {
  const { ref = `refs/heads/${commit.branch}` } = commit;
  const { author } = commit;
  const who = `${author.name} <${author.email}> ${Math.floor(author.at / 1000)} +0000`;
  const chunks: Buffer[] = [];
  const line = (text: string): void => void chunks.push(Buffer.from(`${text}\n`));
  const data = (content: string | Buffer): void => {
    const bytes = Buffer.from(content);
    line(`data ${bytes.length}`);
    chunks.push(bytes, Buffer.from("\n"));
  };
  line(`commit ${ref}`);
  line(`author ${who}`);
  line(`committer ${who}`);
  data(commit.message);
  if (commit.parent !== undefined) line(`from ${commit.parent}`);
  for (const [path, content] of Object.entries(commit.files)) {
    if (content === null) {
      line(`D ${JSON.stringify(path)}`);
    } else {
      line(`M 100644 inline ${JSON.stringify(path)}`);
      data(content);
    }
  }
  line("done");
  await git(directory, ["fast-import", "--quiet", "--done", "--force"], { input: Buffer.concat(chunks) });
  return await git(directory, ["rev-parse", ref]);
}

/** GitHub owns refs/pull: it shows these refs but refuses pushes to them. */
const settings = `[gc]
	auto = 0
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[receive]
	hideRefs = refs/pull
`;

/** Creates a bare repository whose default branch is main, with `files` as its first commit. */
export async function createBareRepository(
  directory: string,
  first: { message: string; author: Signature; files: FileChanges },
): Promise<void> {
  await git(".", ["init", "--quiet", "--bare", "--initial-branch=main", directory]);
  await serveAsGitHub(directory);
  await commitFiles(directory, { branch: "main", parent: undefined, ...first });
}

/** Sets a bare repository to be served as GitHub serves its own. */
export async function serveAsGitHub(directory: string): Promise<void> {
  await appendFile(join(directory, "config"), settings);
}
