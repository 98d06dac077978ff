import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Isolation, Mount } from "../../domain/ports/runner.ts";
import { findProgram } from "./find-program.ts";
import { isInside } from "./is-inside.ts";
import { GIT_LIMITED } from "./limits.ts";
import { assertOwnPlace } from "./mounts.ts";
import { programsView } from "./system-view.ts";

/** Keeps the host's user, unlike the agents' sandbox: git's index knows files by their owner, too. */
const ALONE = "--unshare-all --die-with-parent --new-session --cap-drop ALL --hostname git".split(" ");
const PROGRAMS = ["/usr", "/bin", "/sbin"];

/**
 * An isolation by bubblewrap. Without a /proc no link leads to what a process has open, and all else that a link could name
 * is the system's programs or what was mounted. `path` is the PATH in which git is found.
 */
export function createBubblewrapIsolation(host: {
  readonly bwrap: string;
  readonly path: string;
}): Isolation {
  const parts = partsOfGit(host.path);
  return {
    confines: true,
    async confine(command, mounts) {
      await Promise.all(
        mounts.flatMap(({ from, writable }) => (writable && from ? [assertOwnPlace(from)] : [])),
      );
      const args = [
        ...ALONE,
        ...programsView(),
        ...parts.flatMap((path) => ["--ro-bind", path, path]),
        ...mounts.flatMap(mountArgs),
        "--remount-ro",
        "/",
        "--chdir",
        command.cwd,
        "--",
        ...GIT_LIMITED,
        command.file,
        ...command.args,
      ];
      // bwrap itself starts where every path is the host's.
      return { file: host.bwrap, args, cwd: "/", env: command.env };
    },
    whileStill: (work) => work(),
  };
}

function mountArgs({ from, to, writable }: Mount): readonly string[] {
  if (from === null) return ["--tmpfs", to];
  return [writable ? "--bind" : "--ro-bind", from, to];
}

/** What of a tree git and its own commands need. The tree may be a home, so nothing else of it is shown. */
const PARTS = ["lib", "lib64", "libexec/git-core", "share/git-core"];

/** The parts of the tree that git is installed in; none where the system's programs are, or where git is not found. */
function partsOfGit(path: string): readonly string[] {
  const found = findProgram("git", path);
  if (found === undefined || PROGRAMS.some((directory) => isInside(realpathSync(found), directory)))
    return [];
  const bin = dirname(realpathSync(found));
  return [bin, ...PARTS.map((part) => join(dirname(bin), part)).filter((part) => existsSync(part))];
}
