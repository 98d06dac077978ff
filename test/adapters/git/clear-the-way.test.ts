import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { unquoted } from "../../../src/adapters/git/process/quoted-path.ts";
import { clearTheWay } from "../../../src/adapters/git/worktree/clear-path.ts";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";

it("removes pipes alone, and gives the owner every directory back as far as nothing else changes", async () => {
  const root = mkdtempSync(join(tmpdir(), "flotilla-way-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const closed = join(root, "closed", "inner");
  mkdirSync(closed, { recursive: true });
  writeFileSync(join(closed, "file.txt"), "");
  execFileSync("mkfifo", [join(closed, "pipe"), join(root, ".gitignore")]);
  chmodSync(closed, 0o055);
  expect((await clearTheWay(root)).toSorted()).toEqual([".gitignore", "closed/inner/pipe"]);
  expect(readdirSync(closed)).toEqual(["file.txt"]);
  expect(lstatSync(closed).mode & 0o777).toBe(0o755);
  expect(await clearTheWay(root)).toEqual([]);
});

it("leaves what is too deep for git, which costs nothing at any depth, and removal reaches it", async () => {
  const root = mkdtempSync(join(tmpdir(), "flotilla-way-"));
  onTestFinished(() => removeTree(root));
  const dig = `use POSIX; for (1..2050) { mkfifo("p", 0600) if $_ > 2046; mkdir "d"; chdir "d" or die }`;
  execFileSync("perl", ["-e", dig], { cwd: root });
  // The pipe at 2,047 levels has a path of 4,095 bytes, the longest that git can open.
  expect(await clearTheWay(root)).toHaveLength(2);
  await removeTree(join(root, "d"));
  expect(readdirSync(root)).toEqual([]);
});

it("reads the paths that git quotes, byte for byte", () => {
  expect(String(unquoted("plain.txt"))).toBe("plain.txt");
  expect(String(unquoted('"a b"'))).toBe("a b");
  expect(String(unquoted('"\\"q\\"\\\\ \\t\\n"'))).toBe('"q"\\ \t\n');
  expect(String(unquoted('"\\303\\244.txt"'))).toBe("ä.txt");
  expect(unquoted('"b\\377\\376"')).toEqual(Buffer.of(0x62, 0xff, 0xfe));
});
