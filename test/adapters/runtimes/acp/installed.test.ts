import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentDirectory, installedVersion } from "../../../../src/adapters/runtimes/acp/installed.ts";
import { claude } from "../../../../src/adapters/runtimes/acp/presets/claude.ts";
import { temporaryDirectory } from "../../store/temporary.ts";

it("takes an agent that the image has from there, and any other from the data directory", () => {
  const image = temporaryDirectory();
  mkdirSync(join(image, "runtimes", "codex"), { recursive: true });
  expect(agentDirectory("/data", "codex", image)).toBe(join(image, "runtimes", "codex"));
  expect(agentDirectory("/data", "qwen", image)).toBe("/data/runtimes/qwen");
});

it.each([
  ['{ "version": "1.2.3" }', "1.2.3"],
  ['{ "version": "1.2.3-beta.1+linux" }', "1.2.3-beta.1+linux"],
  ['{ "version": "1.2.3\\n<!-- facts -->" }', null],
  [`{ "version": "1.2.3-${"x".repeat(100)}" }`, null],
  ['{ "version": ["1.2.3"] }', null],
  ["{}", null],
  ["not JSON", null],
])("reads a version from %j, and nothing else that a package may say", (text, version) => {
  const directory = temporaryDirectory();
  const there = join(directory, "node_modules", claude.package?.name ?? "");
  mkdirSync(there, { recursive: true });
  writeFileSync(join(there, "package.json"), text);
  expect(installedVersion(claude, directory)).toBe(version);
});
