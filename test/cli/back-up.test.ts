import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { databaseIn } from "../../src/adapters/store/registry.ts";
import { backUp } from "../../src/cli/commands/make-backup.ts";
import { DAMAGES } from "../adapters/runtimes/copilot/damage.ts";
import { fileStore } from "../factories/file-store.ts";
import { AT } from "../factories/moment.ts";

async function aDataDirectory(): Promise<{ dataDir: string; nested: string; to: string; outside: string }> {
  const root = mkdtempSync(join(tmpdir(), "flotilla-back-up-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dataDir = join(root, "data");
  const nested = join(dataDir, "archives/7/feat-dev-issue-1/nested/vendor");
  mkdirSync(nested, { recursive: true });
  await (await fileStore(join(dataDir, "flotilla.db"))).close();
  writeFileSync(join(nested, "kept"), "kept");
  const outside = join(root, "outside");
  mkdirSync(outside);
  chmodSync(outside, 0o755);
  return { dataDir, nested, to: join(root, "backup"), outside };
}

test("what agents left in archives neither stops a backup nor leads it out of the data directory", async () => {
  const { dataDir, nested, to, outside } = await aDataDirectory();
  for (const [name, damage] of Object.entries(DAMAGES)) {
    // Its size is real in a copy.
    if (name.includes("600 MB")) continue;
    const path = join(nested, name.replaceAll("/", " "));
    writeFileSync(path, "as it was");
    damage(path, () => 0.5);
  }
  execFileSync("mkfifo", [join(outside, "pipe")]);
  symlinkSync(outside, join(nested, "out"));
  symlinkSync(join(outside, "pipe"), join(nested, "to a pipe"));
  symlinkSync("../kept", join(nested, "relative"));
  await backUp({ dataDir, database: databaseIn({ variables: {}, dataDir }), to, now: AT });
  const copied = join(to, "archives/7/feat-dev-issue-1/nested/vendor");
  expect(statSync(outside).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(copied, "kept"), "utf8")).toBe("kept");
  expect(readlinkSync(join(copied, "relative"))).toBe("../kept");
  expect(readlinkSync(join(copied, "out"))).toBe(outside);
  const others = readdirSync(nested).filter((name) => !readdirSync(copied).includes(name));
  expect(others.toSorted()).toEqual(["a pipe", "a socket"]);
  expect(lstatSync(join(copied, "no rights")).mode & 0o777).toBe(0o600);
});
