import { mkdir, mkdtemp, rm, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { programsFound } from "../../src/server/programs-found.ts";

it("changes with the directories where commands look for programs, and when one of them changed", async () => {
  const top = await mkdtemp(join(tmpdir(), "flotilla-programs-"));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const [bin, current] = [join(top, "bin"), join(top, "current")];
  for (const path of [bin, join(top, "24"), join(top, "26")]) {
    await mkdir(path);
    await utimes(path, 1, 1);
  }
  const found = () => programsFound({ PATH: `${bin}:${current}:/nowhere:`, HOME: "/a" });
  await symlink("24", current);
  const all = [await found()];
  expect(await programsFound({ PATH: `${bin}:${current}:/nowhere:`, HOME: "/b" })).toBe(all[0]);
  await utimes(bin, 2, 2);
  all.push(await found());
  await rm(current);
  await symlink("26", current);
  all.push(await found(), await programsFound({ PATH: bin }), await programsFound({}));
  expect(new Set(all).size).toBe(all.length);
});
