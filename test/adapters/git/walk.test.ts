import { execFileSync, spawn } from "node:child_process";
import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, rmdirSync } from "node:fs";
import { mkdir, mkdtemp, rename, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Directory } from "../../../src/adapters/git/worktree/directory.ts";
import { sumSizes, visitPaths } from "../../../src/adapters/git/worktree/paths-below.ts";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { walk } from "../../../src/adapters/git/worktree/walk.ts";

async function scratch(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "flotilla-walk-"));
  onTestFinished(() => removeTree(root));
  return root;
}

function opened(path: string): Directory {
  const directory = Directory.open(path);
  onTestFinished(() => directory.close());
  return directory;
}

function openHandles(): number {
  return readdirSync("/proc/self/fd").length;
}

function deep(levels: number): Buffer {
  return Buffer.from(`${"d/".repeat(levels)}file`);
}

/** Directories in one another, each with a file and a directory beside. */
async function makeDeep(top: string, levels: number): Promise<void> {
  const script = `for (1..${levels}) { open(F, ">", "file"); mkdir "beside"; mkdir "d"; chdir "d" or die }`;
  execFileSync("perl", ["-e", script], { cwd: top });
}

it("goes through a tree of any depth with few open directories, and deletes it", async () => {
  const root = await scratch();
  await mkdir(join(root, "tree"));
  await makeDeep(join(root, "tree"), 1_000);
  const before = openHandles();
  const seen = { files: 0, left: 0, handles: 0 };
  await walk(opened(join(root, "tree")), {
    entry: () => {
      seen.files += 1;
      if (seen.files % 50 === 0) seen.handles = Math.max(seen.handles, openHandles() - before);
    },
    leave: () => {
      seen.left += 1;
    },
  });
  expect(seen).toMatchObject({ files: 1_000, left: 2_000 });
  expect(seen.handles).toBeLessThan(100);
  await removeTree(join(root, "tree"));
  expect(readdirSync(root)).toEqual([]);
  expect(openHandles()).toBeLessThanOrEqual(before + 1);
});

it("continues elsewhere when what it is in was moved out of the directory above", async () => {
  const root = await scratch();
  await mkdir(join(root, "tree", "last"), { recursive: true });
  await mkdir(join(root, "elsewhere"));
  await makeDeep(join(root, "tree"), 200);
  const left: string[] = [];
  let levels = 0;
  await walk(opened(join(root, "tree")), {
    enter: () => {
      levels += 1;
      // Its parent is among the levels that are closed by then.
      if (levels === 180)
        execFileSync("mv", [join(root, "tree", ...Array<string>(80).fill("d")), join(root, "elsewhere")]);
    },
    leave: (parent, name) => {
      left.push(parent.pathOf(name));
    },
  });
  expect(left.filter((path) => path.endsWith("/d")).length).toBeLessThan(200);
  expect(left).toContain(join(root, "tree", "last"));
});

/** How often others have their turn while something is done. */
async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await act();
  clearImmediate(timer);
  return turns;
}

it("lets the event loop continue between the entries of a large directory, and sees every one", async () => {
  const root = await scratch();
  for (let at = 0; at < 2_500; at += 1) closeSync(openSync(join(root, `${at}`), "w"));
  let entries = 0;
  const entry = () => {
    entries += 1;
  };
  expect(await turnsDuring(() => walk(opened(root), { entry }))).toBeGreaterThan(1);
  expect(entries).toBe(2_500);
});

it("lets the event loop continue between many empty directories, and between those that are gone", async () => {
  const root = await scratch();
  for (let at = 0; at < 500; at += 1) mkdirSync(join(root, `${at}`));
  let left = 0;
  const leave = () => {
    left += 1;
  };
  expect(await turnsDuring(() => walk(opened(root), { leave }))).toBeGreaterThan(4);
  expect(left).toBe(500);
  left = 0;
  const leaveAlone = (parent: Directory, name: string) => {
    left += 1;
    for (const other of readdirSync(root)) if (other !== name) rmdirSync(parent.pathOf(other));
  };
  expect(await turnsDuring(() => walk(opened(root), { leave: leaveAlone }))).toBeGreaterThan(2);
  expect(left).toBe(1);
  for (let at = 0; at < 250; at += 1) mkdirSync(join(root, `again-${at}`));
  expect(await turnsDuring(() => removeTree(root))).toBeGreaterThan(2);
});

it("takes names of any bytes, and names the path that people know in its errors", async () => {
  const root = await scratch();
  const name = Buffer.from([0xff, 0x0a, 0xc3, 0x28, 0x1b]);
  await mkdir(Buffer.concat([Buffer.from(`${root}/`), name]));
  const directory = opened(root);
  expect([...directory.entries()].map((entry) => Buffer.from(entry.name, "latin1"))).toEqual([name]);
  directory.directory(name.toString("latin1")).close();
  expect(() => directory.directory("gone")).toThrow(`'${root}/gone'`);
  expect(() => Directory.open(join(root, "none"))).toThrow(`'${root}/none'`);
  directory.close();
  expect(() => directory.lstat("a")).toThrow(`the directory ${root} is closed`);
  await removeTree(root);
});

it("tells what a link, a directory or nothing is from a file, and reads no more than it may", async () => {
  const root = await scratch();
  await writeFile(join(root, "file"), "content");
  await symlink("file", join(root, "link"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const directory = opened(root);
  expect(String(await directory.read("file", 3))).toBe("con");
  expect(String(await directory.read("file", 100))).toBe("content");
  for (const name of ["link", "pipe", ".", "none", "file/below"])
    expect(await directory.read(name, 9)).toBeNull();
  expect(() => Directory.open(join(root, "link"))).toThrow(/ENOTDIR|ELOOP/);
});

it.runIf(process.platform === "linux")("reads no file on which another process holds a lease", async () => {
  const root = await scratch();
  await writeFile(join(root, "file"), "content");
  const lease =
    "$| = 1; $SIG{IO} = 'IGNORE'; open F, '+<', 'file'; print fcntl(F, 1024, 1) ? 1 : 0; sleep 600";
  const holder = spawn("perl", ["-e", lease], { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void holder.kill("SIGKILL"));
  expect(String(await new Promise((resolve) => holder.stdout.once("data", resolve)))).toBe("1");
  expect(await opened(root).read("file", 9)).toBeNull();
});

it("sums what lies at paths, links by themselves, without a directory, a missing one or one below a link", async () => {
  const root = await scratch();
  await mkdir(join(root, "a", "b"), { recursive: true });
  await writeFile(join(root, "a", "b", "ten"), "0123456789");
  await writeFile(join(root, "a", "five"), "01234");
  await symlink("b", join(root, "a", "link"));
  const paths = ["a/b/ten", "a/five", "a/link", "a/link/ten", "a/b", "a/none", "none/x", "a/five/x"];
  expect(
    await sumSizes(
      root,
      paths.map((path) => Buffer.from(path)),
    ),
  ).toBe(16);
});

it("finds deep paths with few open directories, whatever order they come in", async () => {
  const root = await scratch();
  await makeDeep(root, 300);
  const before = openHandles();
  const found: boolean[] = [];
  let handles = 0;
  await visitPaths(root, [deep(299), deep(298), deep(100), deep(250), deep(3), deep(301)], (place) => {
    handles = Math.max(handles, openHandles() - before);
    found.push(place?.directory.lstat(place.name)?.isFile() === true);
  });
  expect(found).toEqual([true, true, true, true, true, false]);
  expect(handles).toBeLessThan(100);
});

it("deletes what is no directory, and reports what others fill again", async () => {
  const root = await scratch();
  await symlink("/", join(root, "link"));
  await removeTree(join(root, "link"));
  await removeTree(join(root, "none", "below"));
  expect(lstatSync(join(root, "link"), { throwIfNoEntry: false })).toBeUndefined();
  await mkdir(join(root, "tree"));
  await mkdir(join(root, "moved"));
  await rename(join(root, "moved"), join(root, "tree", "moved"));
  await removeTree(join(root, "tree"));
  expect(readdirSync(root)).toEqual([]);
});
