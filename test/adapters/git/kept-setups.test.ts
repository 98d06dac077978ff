import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FRESH } from "../../contracts/worktrees-harness.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const run = promisify(execFile);
const GIB = 1024 ** 3;
const AT = 1_766_361_600_000;
const keyOf = (text: string) => createHash("sha256").update(text).digest("hex");
const KEY = keyOf("lock");
const MODULES = { key: KEY, directories: ["node_modules"] };

let harness: RealHarness;
const refOf = (name: string) => ({
  repository: harness.repository,
  name: `dev-issue-${name}`,
  branch: `flotilla/dev/issue-${name}`,
});
const pathOf = (name: string, ...parts: string[]) => join(harness.directory(`dev-issue-${name}`), ...parts);
const kept = (...parts: string[]) => join(harness.dataDir, "setups", "4711", ...parts);
const scratch = () => readdir(join(harness.dataDir, "git", "scratch"));

async function fresh(name: string): Promise<string> {
  return (await harness.worktrees.prepare(refOf(name), FRESH)).head;
}

/** What `npm ci` might leave: a program, a link to it, a link to a workspace, a file of an old time. */
async function install(top: string): Promise<void> {
  await mkdir(join(top, "left-pad"), { recursive: true });
  await mkdir(join(top, ".bin"));
  await writeFile(join(top, "left-pad", "cli.js"), "#!/usr/bin/env node\n", { mode: 0o755 });
  await writeFile(join(top, "left-pad", "package.json"), "{}", { mode: 0o444 });
  await utimes(join(top, "left-pad", "package.json"), 499_162_500, 499_162_500);
  await symlink("../left-pad/cli.js", join(top, ".bin", "left-pad"));
  await symlink("../src", join(top, "own"));
  await symlink("/etc/hostname", join(top, "outside"));
}

function keep(name: string, made: object = {}): Promise<string | null> {
  return harness.worktrees.keepSetup(refOf(name), {
    ...MODULES,
    commit: "c".repeat(40),
    at: AT,
    room: GIB,
    ...made,
  });
}

const restore = (name: string, wanted: object = {}) =>
  harness.worktrees.restoreSetup(refOf(name), { ...MODULES, into: "worktree", at: AT, ...wanted });

const inodeOf = async (path: string) => (await lstat(path)).ino;

/** A repository in which the setup of one agent was kept. */
async function withOneKept(): Promise<void> {
  await fresh("1");
  await install(pathOf("1", "node_modules"));
  expect(await keep("1")).toBeNull();
}

beforeEach(async () => {
  harness = await realHarness();
});
afterEach(() => harness.close());

it("gives the next worktree the same files, modes, times and links, none of them shared", async () => {
  await withOneKept();
  await fresh("2");
  expect(await restore("2")).toEqual({ commit: "c".repeat(40), at: AT });
  const listed = async (name: string) =>
    (await run("find", [".", "-printf", "%P %y %m %l %Ts\n"], { cwd: pathOf(name, "node_modules") })).stdout;
  expect((await listed("2")).split("\n").toSorted()).toEqual((await listed("1")).split("\n").toSorted());
  const file = ["left-pad", "package.json"];
  const all = [
    pathOf("1", "node_modules", ...file),
    pathOf("2", "node_modules", ...file),
    kept(KEY, "0", ...file),
  ];
  expect(new Set(await Promise.all(all.map(inodeOf))).size).toBe(3);
  expect(await scratch()).toEqual([]);
});

it("gives it to a clean checkout, too", async () => {
  await withOneKept();
  const commit = await fresh("2");
  const { path } = await harness.worktrees.checkout(refOf("2"), commit);
  expect(await restore("2", { into: "checkout" })).not.toBeNull();
  expect(await readlink(join(path, "node_modules", ".bin", "left-pad"))).toBe("../left-pad/cli.js");
  await expect(lstat(pathOf("2", "node_modules"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("what an agent does to its own never reaches the copy, nor the next agent", async () => {
  await withOneKept();
  for (const name of ["1", "2"]) {
    if (name === "2") {
      await fresh("2");
      await restore("2");
    }
    await writeFile(pathOf(name, "node_modules", "left-pad", "cli.js"), "evil\n");
    await writeFile(pathOf(name, "node_modules", "evil.js"), "evil\n");
  }
  // It cannot be kept a second time under the same key either.
  expect(await keep("2")).toBeNull();
  await fresh("3");
  await restore("3");
  expect(await readFile(pathOf("3", "node_modules", "left-pad", "cli.js"), "utf8")).toContain("node");
  expect(await readdir(pathOf("3", "node_modules"))).not.toContain("evil.js");
});

it("puts nothing over what is there, nor through a link to elsewhere", async () => {
  await withOneKept();
  await fresh("2");
  const place = pathOf("2", "node_modules");
  const taken = [
    () => mkdir(place),
    () => writeFile(place, "mine\n"),
    () => symlink("/etc", place),
    () => symlink("/nothing/there", place),
  ];
  for (const take of taken) {
    await take();
    const { ino } = await lstat(place);
    expect(await restore("2")).toBeNull();
    expect((await lstat(place)).ino).toBe(ino);
    await rm(place, { recursive: true });
  }
  expect(await readdir("/etc")).not.toContain("left-pad");
  expect(await restore("2")).not.toBeNull();
});

it("puts all directories or none, and follows no link to the place of one", async () => {
  await fresh("1");
  const both = { directories: ["node_modules", "src/node_modules"] };
  for (const path of both.directories) await install(pathOf("1", path));
  expect(await keep("1", both)).toBeNull();
  await fresh("2");
  await rename(pathOf("2", "src"), pathOf("2", "away"));
  await symlink("away", pathOf("2", "src"));
  expect(await restore("2", both)).toBeNull();
  expect(await readdir(pathOf("2"))).not.toContain("node_modules");
  expect(await readdir(pathOf("2", "away"))).not.toContain("node_modules");
  await rm(pathOf("2", "src"));
  await rename(pathOf("2", "away"), pathOf("2", "src"));
  expect(await restore("2", both)).not.toBeNull();
  expect(await readdir(pathOf("2", "src", "node_modules"))).toContain("left-pad");
});

it("has nothing for another key, another repository, or after it was dropped", async () => {
  await withOneKept();
  await fresh("2");
  expect(await restore("2", { key: keyOf("other") })).toBeNull();
  await harness.worktrees.dropSetups(1);
  expect(await readdir(kept())).toEqual([KEY]);
  await harness.worktrees.dropSetups(4711);
  expect(await restore("2")).toBeNull();
  await keep("1");
  await harness.worktrees.dropSetups(null);
  expect(await restore("2")).toBeNull();
  expect([await readdir(kept()), await scratch()]).toEqual([[], []]);
});

const SPOILT: readonly (readonly [why: string, spoil: (top: string) => Promise<unknown>])[] = [
  ['"pipe" is a device, a socket or a pipe', (top) => run("mkfifo", [join(top, "pipe")])],
  ['"x" runs with its owner\'s rights', (top) => setId(join(top, "x"), 0o4755)],
  ['"x" runs with its owner\'s rights', (top) => setId(join(top, "x"), 0o2755)],
  [
    '"me" is a link to its own directory\'s whole path',
    (top) => symlink(join(top, "left-pad"), join(top, "me")),
  ],
  [
    '"left-pad/pip" works only at its own directory\'s whole path',
    (top) => writeFile(join(top, "left-pad", "pip"), `#!${top}/python\n`, { mode: 0o755 }),
  ],
  [
    '"node_modules" is no directory after the commands',
    async (top) => {
      await rm(top, { recursive: true });
      await symlink("/etc", top);
    },
  ],
  ['"node_modules" is no directory after the commands', (top) => rm(top, { recursive: true })],
];

it("keeps nothing that could harm elsewhere, or would not work there, and says why", async () => {
  await fresh("1");
  const top = pathOf("1", "node_modules");
  for (const [why, spoil] of SPOILT) {
    await rm(top, { recursive: true, force: true });
    await install(top);
    await spoil(top);
    expect(await keep("1")).toBe(why);
  }
  await rm(top, { recursive: true, force: true });
  await install(top);
  expect(await keep("1", { room: 1 })).toBe("the disk has no room for them");
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(join(top, "s"), resolve);
  });
  expect(await keep("1")).toBe('"s" is a device, a socket or a pipe');
  server.close();
  expect([await readdir(kept()).catch(() => []), await scratch()]).toEqual([[], []]);
});

async function setId(path: string, mode: number): Promise<void> {
  await writeFile(path, "");
  await chmod(path, mode);
}

it("keeps three of a repository; what was not used for longest goes first, and after two weeks all", async () => {
  await fresh("1");
  await install(pathOf("1", "node_modules"));
  for (const [index, name] of ["a", "b", "c"].entries())
    await keep("1", { key: keyOf(name), at: AT + index });
  await fresh("2");
  await restore("2", { key: keyOf("a"), at: AT + 10 });
  await keep("1", { key: keyOf("d"), at: Date.now() });
  expect((await readdir(kept())).toSorted()).toEqual(["a", "c", "d"].map(keyOf).toSorted());
  await harness.worktrees.tidy(harness.repository);
  expect(await readdir(kept())).toEqual([keyOf("d")]);
  expect(await scratch()).toEqual([]);
});

it("two that keep the same at once leave one, and one that is torn is never used", async () => {
  await fresh("1");
  await fresh("2");
  for (const name of ["1", "2"]) await install(pathOf(name, "node_modules"));
  expect(await Promise.all([keep("1"), keep("2"), keep("1")])).toEqual([null, null, null]);
  expect([await readdir(kept()), await scratch()]).toEqual([[KEY], []]);
  await rm(kept(KEY, "made.json"));
  await fresh("3");
  expect(await restore("3")).toBeNull();
  expect(await keep("1")).toBeNull();
  expect(await restore("3")).not.toBeNull();
});

it("a copy that is deleted while it is read is not used in part", async () => {
  await withOneKept();
  const names = Array.from({ length: 3 }, (_, index) => String(index + 2));
  for (const name of names) await fresh(name);
  const [, ...got] = await Promise.all([
    harness.worktrees.dropSetups(null),
    ...names.map((name) => restore(name)),
  ]);
  for (const [index, one] of got.entries()) {
    const there = await readdir(pathOf(names[index] ?? "", "node_modules")).catch(() => []);
    expect(new Set(there)).toEqual(new Set(one === null ? [] : [".bin", "left-pad", "outside", "own"]));
  }
});

/** Stands before the program that copies, and kills the host before the copy with this number or after it. */
const killer = (index: number, when: "before" | "after", path: string) => `#!/bin/sh
case "$*" in *"/${index}") [ ${when} = after ] && PATH='${path}' "\${0##*/}" "$@"; kill -9 "$PPID"; exit 1 ;; esac
PATH='${path}' exec "\${0##*/}" "$@"
`;

it("killed at any step it leaves a whole copy or none, and the worktree as it was", {
  timeout: 120_000,
}, async () => {
  const both = ["node_modules", "src/node_modules"];
  await fresh("1");
  for (const path of both) await install(pathOf("1", path));
  await fresh("2");
  const bin = join(harness.dataDir, "..", "bin");
  const path = process.env["PATH"] ?? "";
  await mkdir(bin);
  const child = join(import.meta.dirname, "setup-child.ts");
  const live = (act: "keep" | "restore", PATH: string) =>
    run(process.execPath, [child, harness.dataDir, act, KEY, ...both], { env: { PATH } });
  const dies = async (act: "keep" | "restore", index: number, when: "before" | "after") => {
    for (const program of ["sh", "bwrap"])
      await writeFile(join(bin, program), killer(index, when, path), { mode: 0o755 });
    await expect(live(act, `${bin}:${path}`)).rejects.toMatchObject({ signal: "SIGKILL" });
    harness = harness.restart();
  };
  await dies("keep", 0, "before");
  await dies("keep", 1, "after");
  expect(await restore("2", { directories: both })).toBeNull();
  expect(await keep("1", { directories: both })).toBeNull();
  await dies("restore", 1, "after");
  expect(await readdir(pathOf("2"))).toEqual([".git", "README.md", "src"]);
  // Each process deletes what the one before left, and goes on.
  expect(await scratch()).toHaveLength(1);
  await live("restore", path);
  expect(await scratch()).toEqual([]);
  expect(await readdir(pathOf("2", "src", "node_modules"))).toContain("left-pad");
});
