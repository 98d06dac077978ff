import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Isolation, Mount } from "../../domain/ports/runner.ts";
import { findProgram } from "./find-program.ts";
import { isInside } from "./is-inside.ts";
import { GIT_LIMITED } from "./limits.ts";
import { assertOwnPlace } from "./mounts.ts";
import { programsView } from "./system-view.ts";

/** Keeps the host's user, unlike the agents' sandbox, because git's index also identifies files by their owner. */
const ALONE = "--unshare-all --die-with-parent --new-session --cap-drop ALL --hostname git".split(" ");
const PROGRAMS = ["/usr", "/bin", "/sbin"];

/**
 * Creates an isolation with bubblewrap. Without /proc no link leads to another process's open files; a link can only
 * lead to the system's programs or to what was mounted. `path` is the PATH in which git is found.
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
      // bwrap itself starts on the host, where all paths are the host's.
      return { file: host.bwrap, args, cwd: "/", env: command.env };
    },
    whileStill: (work) => work(),
  };
}

function mountArgs({ from, to, writable }: Mount): readonly string[] {
  if (from === null) return ["--tmpfs", to];
  return [writable ? "--bind" : "--ro-bind", from, to];
}

/**
 * The parts of an installation tree that git and its own commands need. The tree may be a home, so nothing else of it
 * is visible.
 */
const PARTS = ["lib", "lib64", "libexec/git-core", "share/git-core"];

/**
 * Returns the parts of the tree in which git is installed; none if git is among the system's programs, or not found.
 */
function partsOfGit(path: string): readonly string[] {
  const found = findProgram("git", path);
  if (found === undefined || PROGRAMS.some((directory) => isInside(realpathSync(found), directory)))
    return [];
  const bin = dirname(realpathSync(found));
  return [bin, ...PARTS.map((part) => join(dirname(bin), part)).filter((part) => existsSync(part))];
}
