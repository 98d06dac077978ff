import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Returns a new seed for each run, or the one in DAMAGE_SEED to repeat a run. */
export function damageSeed(): number {
  return Number(process.env["DAMAGE_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
}

type Damage = (path: string, outside: string, random: () => number) => void;

const BIND =
  "use Socket; chdir shift; socket(S,1,1,0) or die; bind(S,pack_sockaddr_un(shift)) or die; close S";

/** Replaces what was there. `outside` is a directory with a file `canary`. */
const PLANTS: Readonly<Record<string, Damage>> = {
  "a link to a directory outside": (path, outside) => symlinkSync(outside, path),
  "a link to a file outside": (path, outside) => symlinkSync(join(outside, "canary"), path),
  "a link to nothing": (path) => symlinkSync("/nothing/here", path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a socket": (path) => void execFileSync("perl", ["-e", BIND, dirname(path), basename(path)]),
  "random bytes": (path, _, random) =>
    writeFileSync(path, Buffer.from(Array.from({ length: 4000 }, () => Math.floor(random() * 256)))),
  "an empty file": (path) => writeFileSync(path, ""),
  "a gigantic file": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
  },
  "a file with a second name": (path) => {
    writeFileSync(path, "x");
    const twin = join(dirname(path), "twin");
    rmSync(twin, { recursive: true, force: true });
    linkSync(path, twin);
  },
  "a file without rights": (path) => writeFileSync(path, "x", { mode: 0 }),
  "an empty directory": (path) => mkdirSync(path),
  "a directory without rights": (path) => {
    mkdirSync(join(path, "below"), { recursive: true });
    chmodSync(join(path, "below"), 0);
    chmodSync(path, 0);
  },
  "a full tree with links out": (path, outside) => {
    for (let at = 0; at < 50; at += 1) {
      mkdirSync(join(path, `d${at}`), { recursive: true });
      symlinkSync(outside, join(path, `d${at}`, "out"));
      writeFileSync(join(path, `d${at}`, "file"), "x");
    }
  },
  nothing: () => undefined,
};

/** Adds something to a directory. */
const ADDITIONS: Readonly<Record<string, Damage>> = {
  "a deep tree": (path) =>
    void mkdirSync(join(path, ...Array.from({ length: 800 }, () => "d")), { recursive: true }),
  "thousands of entries": (path) => {
    for (let at = 0; at < 3000; at += 1) writeFileSync(join(path, `entry-${at}`), "");
  },
  "names of 255 bytes": (path) => {
    for (let at = 0; at < 20; at += 1) mkdirSync(join(path, `${at}-`.padEnd(255, "n")), { recursive: true });
  },
};

/** Changes what is there. */
const CHANGES: Readonly<Record<string, Damage>> = {
  "half of it": (path) => {
    const found = lstatSync(path);
    if (found.isFile()) return truncateSync(path, Math.floor(found.size / 2));
    if (!found.isDirectory()) return;
    const names = readdirSync(path);
    for (const name of names.slice(0, Math.ceil(names.length / 2)))
      rmSync(join(path, name), { recursive: true, force: true });
  },
  "no rights": (path) => {
    if (!lstatSync(path).isSymbolicLink()) chmodSync(path, 0);
  },
};

/**
 * Damages that apply to anything, and those that apply to the top of a mount, which processes inside cannot replace.
 */
export const DAMAGES = [...Object.keys(PLANTS), ...Object.keys(ADDITIONS), ...Object.keys(CHANGES)];
export const TOP_DAMAGES = [...Object.keys(ADDITIONS), ...Object.keys(CHANGES)];

/** Damages the path in the way that `name` says. A damage that needs a directory creates one if necessary. */
export function damage(
  path: string,
  name: string,
  { outside, random }: { readonly outside: string; readonly random: () => number },
): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (name in PLANTS) rmSync(path, { recursive: true, force: true });
  else if (name in ADDITIONS && found?.isDirectory() !== true) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  } else if (name in CHANGES && found === undefined) return;
  (PLANTS[name] ?? ADDITIONS[name] ?? CHANGES[name])?.(path, outside, random);
}
