import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runtimeVersion } from "../../../src/adapters/runtimes/copilot/runtime-version.ts";
import { RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { runtimeFaults } from "../../../src/server/start-checks/runtime.ts";

/** The path of an executable in a package of this version. */
function installed(version: string): string {
  const root = mkdtempSync(join(tmpdir(), "flotilla-runtime-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, "prebuilds", "linux-x64");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ version }));
  return join(directory, "copilot-runtime");
}

function missing(): never {
  throw new RuntimeError("runtime_missing", "none is installed", {
    consequence: "tell",
    advice: "Install it.",
  });
}

test("the runtime that is installed here is new enough", () => {
  expect(runtimeFaults()).toEqual([]);
});

test.each([
  ["1.0.13", 1],
  ["1.0.9", 1],
  ["1.0.14", 0],
  ["1.1.0", 0],
])("a runtime %s has %i faults", (version, count) => {
  const faults = runtimeFaults(() => runtimeVersion(installed(version)));
  expect(faults).toHaveLength(count);
  for (const { what } of faults) expect(what).toBe(`is ${version}, older than 1.0.14`);
});

test("a runtime that is missing is a fault with what to do", () => {
  expect(runtimeFaults(missing)).toEqual([
    { about: "Copilot runtime", what: "none is installed", next: "Install it." },
  ]);
});
