import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

/** One thing that an agent's shell can do to a file of its own. */
type Damage = (path: string, random: () => number) => void;

const HUGE_BYTES = 600 * 1024 * 1024;

/** Puts something else in the place of what is there. */
function instead(make: Damage): Damage {
  return (path, random) => {
    rmSync(path, { recursive: true, force: true });
    make(path, random);
  };
}

function run(path: string, file: string, ...args: readonly string[]): void {
  // From within the directory: the path of a socket is short.
  execFileSync(file, [...args, basename(path)], { cwd: dirname(path) });
}

const SOCKET =
  "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) and bind(S, pack_sockaddr_un($ARGV[0])) or die $!";

export const DAMAGES: Readonly<Record<string, Damage>> = {
  "cut short": (path, random) => truncateSync(path, Math.floor(random() * 200)),
  "random bytes": (path, random) =>
    writeFileSync(path, Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256)))),
  "a line of 600 MB": instead((path) => {
    writeFileSync(path, "");
    truncateSync(path, HUGE_BYTES);
  }),
  "a link to /dev/zero": instead((path) => symlinkSync("/dev/zero", path)),
  "a link to itself": instead((path) => symlinkSync(basename(path), path)),
  "a link to a file of the host": instead((path) => symlinkSync("/etc/passwd", path)),
  "a link to a directory of the host": instead((path) => symlinkSync("/etc", path)),
  "a pipe": instead((path) => run(path, "mkfifo")),
  "a directory": instead((path) => mkdirSync(path)),
  "an empty file": instead((path) => writeFileSync(path, "")),
  "a socket": instead((path) => run(path, "perl", "-e", SOCKET)),
  "no rights": (path) => chmodSync(path, 0),
  nothing: instead(() => {}),
};
