import { chmod, lstat, mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { filesEnvironment } from "../process/git-environment.ts";
import type { GitHost } from "../process/git-host.ts";
import { runProcess } from "../process/run-process.ts";

const LIMIT_MS = 5 * 60_000;
const SHOWN = 300;
/**
 * Copies what a directory holds into another one, by several programs at a time: one alone waits for the file system most of
 * the time. None of them copies what another one does.
 */
const COPY = `cd -- "$1" && find . -mindepth 1 -maxdepth 1 -print0 |
xargs -0 -n 16 -P 8 sh -c 'to=$1; shift; [ $# -eq 0 ] || exec cp -a -- "$@" "$to/"' sh "$2"`;

/**
 * Copies a directory, with modes and times; links as links, and files that share their blocks where the file system can do
 * that. Both tops are the host's. The copiers see nothing but the two, so no link in them leads one anywhere else.
 * Returns why not all of it could be copied: a line of the program; null if it was.
 */
export async function copyTree(
  host: GitHost,
  from: { readonly top: string; readonly path: string },
  to: { readonly top: string; readonly name: string },
): Promise<string | null> {
  const { confines } = host.isolation;
  const [source, target] = confines ? ["/from", "/to"] : [from.top, to.top];
  const like = await lstat(join(from.top, from.path)).catch(() => null);
  if (like === null) return "what is to be copied is gone";
  const made = join(to.top, to.name);
  await mkdir(made, { mode: 0o700 });
  const command = {
    file: "sh",
    args: ["-c", COPY, "sh", join(source, from.path), join(target, to.name)],
    cwd: confines ? "/" : host.home,
    env: filesEnvironment(host),
  };
  const confined = await host.isolation.confine(command, [
    { from: from.top, to: source, writable: false },
    { from: to.top, to: target, writable: true },
  ]);
  const { code, cut, stderr } = await runProcess(confined, { input: "", limitMs: LIMIT_MS });
  if (cut !== null) return `copying did not end within ${LIMIT_MS / 60_000} minutes`;
  if (code === 0) {
    await chmod(made, like.mode & 0o777);
    await utimes(made, like.atime, like.mtime);
    return null;
  }
  const [line = ""] = stderr.split("\n");
  return line.slice(0, SHOWN) || `cp ended with ${code}`;
}
