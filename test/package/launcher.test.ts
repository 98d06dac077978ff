import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** An installation of nothing but the launcher. */
function launcher(engines: string) {
  const root = mkdtempSync(join(tmpdir(), "flotilla-launcher-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["src", "dist"]) mkdirSync(join(root, folder));
  cpSync("src/flotilla.js", join(root, "src/flotilla.js"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module", engines: { node: engines } }));
  const run = () => spawnSync(process.execPath, [join(root, "src/flotilla.js")], { encoding: "utf8" });
  return { root, run };
}

test("the command runs the sources where they are, and what was compiled where they are not", () => {
  const { root, run } = launcher(">=22.20");
  writeFileSync(join(root, "src/main.ts"), 'const said: string = "sources"; process.stdout.write(said);');
  writeFileSync(join(root, "dist/main.js"), 'process.stdout.write("compiled");');
  expect(run().stdout).toBe("sources");
  rmSync(join(root, "src/main.ts"));
  expect(run().stdout).toBe("compiled");
});

test.each([
  [
    ">=99.0",
    'process.stdout.write("ran");',
    `Flotilla needs Node 99.0 or newer; this is ${process.versions.node}.`,
  ],
  [">=22.20", 'import "zod";', "The package zod is not installed: run npm install in "],
])("with Node %s needed, %j says in one line what is missing", (engines, main, line) => {
  const { root, run } = launcher(engines);
  writeFileSync(join(root, "dist/main.js"), main);
  const { status, stdout, stderr } = run();
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining(line)]);
});

test("an error of the program itself keeps its stack", () => {
  const { root, run } = launcher(">=22.20");
  writeFileSync(join(root, "dist/main.js"), 'throw new Error("boom");');
  expect(run().stderr).toMatch(/Error: boom\n {4}at .*main\.js/);
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
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env["PATH"] ?? "", NODE_DEBUG_NATIVE: "COMPILE_CACHE" },
  }).stderr;
}
