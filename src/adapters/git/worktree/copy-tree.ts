import { join } from "node:path";
import { filesEnvironment } from "../process/git-environment.ts";
import type { GitHost } from "../process/git-host.ts";
import { runProcess } from "../process/run-process.ts";

const LIMIT_MS = 5 * 60_000;
const SHOWN = 300;

/**
 * Copies a directory, with modes and times; links as links, and files that share their blocks where the file system can do
 * that. Both tops are the host's. The copier sees nothing but the two, so no link in them leads it anywhere else.
 * Returns why it could not copy all of it: a line of the program; null if it did.
 */
export async function copyTree(
  host: GitHost,
  from: { readonly top: string; readonly path: string },
  to: { readonly top: string; readonly name: string },
): Promise<string | null> {
  const { confines } = host.isolation;
  const [source, target] = confines ? ["/from", "/to"] : [from.top, to.top];
  const command = {
    file: "cp",
    args: ["-a", "--", join(source, from.path), join(target, to.name)],
    cwd: confines ? "/" : host.home,
    env: filesEnvironment(host),
  };
  const confined = await host.isolation.confine(command, [
    { from: from.top, to: source, writable: false },
    { from: to.top, to: target, writable: true },
  ]);
  const { code, cut, stderr } = await runProcess(confined, { input: "", limitMs: LIMIT_MS });
  if (cut !== null) return `copying did not end within ${LIMIT_MS / 60_000} minutes`;
  if (code === 0) return null;
  const [line = ""] = stderr.replaceAll(`${source}/`, "").split("\n");
  return line.slice(0, SHOWN) || `cp ended with ${code}`;
}
