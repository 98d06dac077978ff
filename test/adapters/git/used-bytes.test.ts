import { chmod, link, mkdir, mkdtemp, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { usedBytes } from "../../../src/adapters/git/worktree/used-bytes.ts";

const MIB = 1024 ** 2;

async function scratch(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "flotilla-used-"));
  onTestFinished(() => removeTree(root));
  return root;
}

it("counts blocks: sparse files as what they hold, several names of one file once, links by themselves", async () => {
  const root = await scratch();
  const [agent, outside] = [join(root, "agent"), join(root, "outside")];
  await mkdir(join(agent, "closed"), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, "large"), Buffer.alloc(4 * MIB, 1));
  await symlink(outside, join(agent, "away"));
  const empty = await usedBytes([agent], 100);
  expect(empty.files).toBe(3);
  expect(empty.bytes).toBeLessThan(MIB);

  await writeFile(join(agent, "sparse"), "");
  await truncate(join(agent, "sparse"), 1024 * MIB);
  await writeFile(join(agent, "closed", "file"), Buffer.alloc(MIB, 1));
  await link(join(agent, "closed", "file"), join(agent, "again"));
  await chmod(join(agent, "closed"), 0o000);
  const { bytes, files } = await usedBytes([agent, join(root, "none"), join(agent, "away")], 100);
  const { blocks } = await stat(join(agent, "again"));
  expect(bytes - empty.bytes).toBe(blocks * 512);
  expect(files - empty.files).toBe(3);
});

it("ends behind a number of files: names and directories", async () => {
  const root = await scratch();
  for (let at = 0; at < 20; at += 1) await writeFile(join(root, `${at}`), "x");
  expect(await usedBytes([root], 10)).toMatchObject({ files: 11 });
  expect(await usedBytes([root], 21)).toMatchObject({ files: 21 });
});
