import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { git, gitBytes } from "./run.ts";

/** In the bare repository: the ids of the commits that were signed, one a line. Nobody can give another commit such an id. */
const LIST = "signed-commits";

/** A commit's signature, and what it is of, as git stores both. */
export interface CommitSignature {
  readonly signature: string;
  readonly payload: string;
}

/** Signs a commit that no ref leads to. Returns the id of the signed one. */
export async function signCommit(directory: string, sha: string): Promise<string> {
  const payload = (await gitBytes(directory, ["cat-file", "commit", sha])).stdout.toString();
  const [head = "", ...message] = payload.split("\n\n");
  const signature = signatureFor(payload).split("\n").join("\n ");
  const object = [`${head}\ngpgsig ${signature}`, ...message].join("\n\n");
  const signed = await git(directory, ["hash-object", "-t", "commit", "-w", "--stdin"], {
    input: Buffer.from(object),
  });
  await appendFile(join(directory, LIST), `${signed}\n`);
  return signed;
}

function signatureFor(payload: string): string {
  const made = createHash("sha512").update(payload).digest("base64");
  return `-----BEGIN PGP SIGNATURE-----\n\n${made}\n-----END PGP SIGNATURE-----`;
}

/** Returns the ids of all signed commits. */
export async function signedCommits(directory: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(directory, LIST), "utf8").catch(() => "");
  return new Set(text.split("\n"));
}

/** Returns the signature of a signed commit. */
export async function signatureOf(directory: string, sha: string): Promise<CommitSignature> {
  const object = (await gitBytes(directory, ["cat-file", "commit", sha])).stdout.toString();
  const payload = object.replace(/\ngpgsig .*(?:\n .*)*/, "");
  return { signature: signatureFor(payload), payload };
}

/** Returns the first commit that would be new on a branch and that nobody signed; undefined where all are signed. */
export async function unsignedIn(directory: string, range: readonly string[]): Promise<string | undefined> {
  const signed = await signedCommits(directory);
  const text = await git(directory, ["rev-list", "--reverse", ...range, "--"]);
  return text.split("\n").find((sha) => sha !== "" && !signed.has(sha));
}

/** Has git itself refuse pushes of unsigned commits to these branches, `*` being all of them; null takes none. */
export async function refusePushes(directory: string, branch: string | null): Promise<void> {
  const text = branch === null ? "#!/bin/sh\n" : hook(branch);
  await mkdir(join(directory, "hooks"), { recursive: true });
  await writeFile(join(directory, "hooks", "pre-receive"), text, { mode: 0o755 });
}

const hook = (branch: string) => `#!/bin/sh
while read before after ref; do
  case "$ref" in refs/heads/${branch}) ;; *) continue ;; esac
  [ "$after" = ${"0".repeat(40)} ] && continue
  for commit in $(git rev-list --reverse "$after" --not --branches); do
    grep -qx "$commit" ${LIST} 2>/dev/null && continue
    echo "error: GH013: Repository rule violations found for $ref." >&2
    echo "- Commits must have verified signatures." >&2
    echo "  Found 1 violation:" >&2
    echo "  $commit" >&2
    exit 1
  done
done
`;
