import { execFileSync } from "node:child_process";
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
