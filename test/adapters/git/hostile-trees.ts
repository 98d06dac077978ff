import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Something in an agent's directory that leads out of it, never ends, or cannot be handled by its name. */
export interface Hostile {
  readonly name: string;
  /** Planted again before each operation. `outside` holds `secret.txt`, `file.txt` and the directory `kept`. */
  plant(tree: string, outside: string): void;
  /** What must be in an archive of the work, byte for byte. */
  readonly keeps?: readonly Buffer[];
}

/** An empty place at this path, whatever stood there. */
function place(tree: string, path: string): string {
  const full = join(tree, path);
  const parent = dirname(full);
  if (lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() !== true) {
    rmSync(parent, { recursive: true, force: true });
    mkdirSync(parent, { recursive: true });
  }
  rmSync(full, { recursive: true, force: true });
  return full;
}

const link = (name: string, path: string, target: string): Hostile => ({
  name,
  plant: (tree) => symlinkSync(target, place(tree, path)),
});

const linkOut = (name: string, path: string, target: string): Hostile => ({
  name,
  plant: (tree, outside) => symlinkSync(join(outside, target), place(tree, path)),
});

const file = (name: string, path: string, text = "work\n"): Hostile => ({
  name,
  plant: (tree) => writeFileSync(place(tree, path), text),
  keeps: [Buffer.from(path)],
});

const pipe = (name: string, path: string): Hostile => ({
  name,
  plant: (tree) => {
    const there = lstatSync(join(tree, path), { throwIfNoEntry: false });
    if (there?.isFIFO() !== true) execFileSync("mkfifo", [place(tree, path)]);
  },
});

const socket = (name: string, path: string): Hostile => ({
  name,
  plant: (tree) => {
    if (lstatSync(join(tree, path), { throwIfNoEntry: false })?.isSocket()) return;
    const full = place(tree, path);
    const listen =
      "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))";
    try {
      execFileSync(process.execPath, ["-e", listen, full], { stdio: "ignore" });
    } catch {
      // It ends itself, so that nobody removes the socket.
    }
  },
});

const device = (name: string, path: string): Hostile => ({
  name,
  // Only root may make one.
  plant: (tree) => {
    const full = place(tree, path);
    if (process.getuid?.() === 0) execFileSync("mknod", [full, "c", "1", "5"]);
  },
});

/** Paths of more than 8,000 bytes, made step by step. */
const deep: Hostile = {
  name: "a path longer than a system call takes",
  plant: (tree) => {
    if (existsSync(join(tree, "d".repeat(200)))) return;
    const before = process.cwd();
    process.chdir(tree);
    try {
      for (let depth = 0; depth < 40; depth += 1) {
        mkdirSync("d".repeat(200));
        process.chdir("d".repeat(200));
      }
      execFileSync("mkfifo", [".gitignore"]);
    } finally {
      process.chdir(before);
    }
  },
};

const unreadable: Hostile = {
  name: "a directory and a file that nobody may read",
  plant: (tree) => {
    const inner = place(tree, "closed/inner.txt");
    writeFileSync(inner, "work\n");
    chmodSync(inner, 0o000);
    chmodSync(dirname(inner), 0o000);
  },
  keeps: [Buffer.from("closed/inner.txt")],
};

const notUnicode: Hostile = {
  name: "a name that is not Unicode",
  plant: (tree) =>
    writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.of(0x62, 0xff, 0xfe)]), "work\n"),
  keeps: [Buffer.of(0x62, 0xff, 0xfe)],
};

const hardLink: Hostile = {
  name: "a hard link to a file outside",
  plant: (tree, outside) => linkSync(join(outside, "file.txt"), place(tree, "hard")),
};

const inRepository = (name: string, path: string): Hostile => ({
  name,
  plant: (tree) => {
    const full = place(tree, path);
    if (!path.endsWith("HEAD"))
      writeFileSync(place(tree, join(dirname(path), "HEAD")), "ref: refs/heads/x\n");
    execFileSync("mkfifo", [full]);
  },
});

const gitFile: Hostile = {
  name: "a .git file that leads to a pipe",
  plant: (tree) => {
    execFileSync("mkfifo", [place(tree, "pipes/HEAD")]);
    writeFileSync(place(tree, "elsewhere/.git"), "gitdir: ../pipes\n");
  },
};

export const HOSTILE: readonly Hostile[] = [
  linkOut("a link to a file outside", "secret", "secret.txt"),
  linkOut("a link to a directory outside", "door", "kept"),
  linkOut("a link out of the tree in place of a tracked directory", "src", "kept"),
  link("a relative link out of the tree", "up", "../../../../outside/secret.txt"),
  link("a link to the environment of whoever reads it", "environment", "/proc/self/environ"),
  link("a link to the file system's root", "root", "/proc/self/root"),
  link("a link to itself", "loop", "loop"),
  link("links in a circle", "circle/a", "../circle"),
  link(".gitignore as a link to what never ends", "endless/.gitignore", "/dev/zero"),
  hardLink,
  pipe("a pipe", "pipe"),
  socket("a socket in place of a tracked file", "README.md"),
  pipe("a pipe as .gitignore", ".gitignore"),
  pipe("a pipe as .gitattributes", ".gitattributes"),
  pipe("a pipe as .gitmodules", ".gitmodules"),
  pipe("a pipe as .gitignore further down", "below/.gitignore"),
  pipe("a pipe as a lock file", "package-lock.json"),
  inRepository("a pipe as HEAD of a nested repository", "nested/.git/HEAD"),
  inRepository("a pipe as common directory of a nested repository", "other/.git/commondir"),
  gitFile,
  socket("a socket", "socket"),
  device("a device", "device"),
  device("a device as .gitattributes", "low/.gitattributes"),
  deep,
  unreadable,
  notUnicode,
  file("a name of 255 bytes", "n".repeat(255)),
  file("a name with a line break", "two\nlines"),
  file("a name with quotes", `"quo'ted"`),
  file("a name like an option", "-rf"),
  file("a name like a pattern", ":(top)*"),
  file("a name with spaces at both ends", " space "),
  { ...file(".GIT in capitals", ".GIT/config", "[core]\n"), keeps: [] },
  { ...file(".git as Windows shortens it", "git~1/config", "[core]\n"), keeps: [] },
];
