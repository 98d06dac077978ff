import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

test("the command runs the sources where they are, and what was compiled where they are not", () => {
  const root = mkdtempSync(join(tmpdir(), "flotilla-launcher-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["src", "dist"]) mkdirSync(join(root, folder));
  cpSync("src/flotilla.js", join(root, "src/flotilla.js"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  writeFileSync(join(root, "src/main.ts"), 'const said: string = "sources"; process.stdout.write(said);');
  writeFileSync(join(root, "dist/main.js"), 'process.stdout.write("compiled");');
  const run = () => execFileSync(process.execPath, [join(root, "src/flotilla.js")], { encoding: "utf8" });
  expect(run()).toBe("sources");
  rmSync(join(root, "src/main.ts"));
  expect(run()).toBe("compiled");
});

test("a command is compiled once, and comes from the cache of the installation afterwards", () => {
  debugOfCache();
  const read = `reading cache from ${join(process.cwd(), "node_modules/.cache/flotilla")}`;
  const lines = debugOfCache().split("\n");
  expect(lines.filter((line) => line.includes(read) && /cli\/commands\.ts.* success/.test(line))).not.toEqual(
    [],
  );
});

/** What Node says of its compile cache while it prints the version. */
function debugOfCache(): string {
  return spawnSync(process.execPath, ["src/main.ts", "--version"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] ?? "", NODE_DEBUG_NATIVE: "COMPILE_CACHE" },
  }).stderr;
}
