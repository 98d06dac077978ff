import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const MODULE = join(import.meta.dirname, "../../../src/adapters/sandbox/seccomp/under-filter.ts");
const SCRIPT = `
const { underFilter } = await import(${JSON.stringify(MODULE)});
underFilter("bwrap", {}, []);
process.stdout.write("made\\n");
process.stdin.resume();
`;

/** A process that has written its filter below `directory`, and ends when its input does. */
async function aProcess(directory: string) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", SCRIPT], {
    env: { TMPDIR: directory },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

it("deletes what a killed process left, and nothing of a living one or of somebody else", async () => {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-leftovers-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [killed, living] = [await aProcess(directory), await aProcess(directory)];
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const gone = killed.pid;
  mkdirSync(join(directory, "target"));
  writeFileSync(join(directory, "target", "kept"), "");
  symlinkSync(join(directory, "target"), join(directory, `flotilla-filter-${gone}-linked`));
  writeFileSync(join(directory, `flotilla-egress-${gone}-a1file`), "");
  mkdirSync(join(directory, `flotilla-filter-${gone}-of-others`));
  const next = await aProcess(directory);
  const filters = readdirSync(directory).filter((name) => /^flotilla-filter-\d+-\w{6}$/.test(name));
  const linked = `flotilla-filter-${gone}-linked`;
  expect(filters.filter((name) => name.includes(`-${gone}-`))).toEqual([linked]);
  expect(filters.filter((name) => name.includes(`-${living.pid}-`))).toHaveLength(1);
  expect(readdirSync(directory)).toEqual(
    expect.arrayContaining([`flotilla-egress-${gone}-a1file`, `flotilla-filter-${gone}-of-others`]),
  );
  expect(readdirSync(join(directory, "target"))).toEqual(["kept"]);
  living.stdin.end();
  next.stdin.end();
  await Promise.all([once(living, "exit"), once(next, "exit")]);
  expect(readdirSync(directory).filter((name) => /^flotilla-filter-\d+-\w{6}$/.test(name))).toEqual([linked]);
});
