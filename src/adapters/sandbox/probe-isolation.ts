import { execFile } from "node:child_process";
import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Isolation } from "../../domain/ports/runner.ts";
import type { SandboxFinding } from "./probe.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

const LIMIT_MS = 30_000;

/** What must hold around the host's git, checked from inside. $SECRET is a file of the host that is not mounted. */
const LINES = [
  'git --version >/dev/null || { echo "git does not run in it"; exit; }',
  '[ ! -e "$SECRET" ] || { echo "it sees files of the host"; exit; }',
  '[ ! -e /proc/self ] || { echo "it has a /proc"; exit; }',
  'echo written >"$WORK/written" || { echo "the worktree cannot be written"; exit; }',
  '! echo written 2>/dev/null >"$READ/written" || { echo "what is read-only can be written"; exit; }',
  "echo holds",
];

/**
 * Runs git's own sandbox once and checks that it works and hides the host. Returns an empty text if it does. Takes
 * about 20 ms.
 */
export async function probeIsolation(isolation: Isolation, path: string): Promise<readonly SandboxFinding[]> {
  const root = await realpath(makeTemporaryDirectory("probe"));
  try {
    const wrong = await wrongWith(isolation, root, path);
    const next = "See `Sandbox` in docs/operations.md, and install git below /usr or in a tree of its own";
    return wrong === null
      ? []
      : [{ about: "sandbox", what: `git cannot be kept to the files of an agent: ${wrong}`, next }];
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function wrongWith(isolation: Isolation, root: string, path: string): Promise<string | null> {
  const [work, read, secret] = [join(root, "work"), join(root, "read"), join(root, "secret")];
  await Promise.all([mkdir(work), mkdir(read), writeFile(secret, "a file that nobody gave")]);
  try {
    const { file, args, env } = await isolation.confine(
      {
        file: "/bin/sh",
        args: ["-c", LINES.join("\n")],
        cwd: "/",
        env: { PATH: path, SECRET: secret, WORK: work, READ: read },
      },
      [
        { from: work, to: work, writable: true },
        { from: read, to: read, writable: false },
      ],
    );
    const { stdout } = await promisify(execFile)(file, [...args], { env, timeout: LIMIT_MS });
    const written = await readFile(join(work, "written"), "utf8").catch(() => "");
    if (stdout.trim() === "holds" && written === "written\n") return null;
    return stdout.trim() || "it did not end well";
  } catch (error) {
    return messageOf(error);
  }
}
