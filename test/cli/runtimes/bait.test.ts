import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { layBait, takenBait } from "../../../src/cli/runtimes/bait.ts";

test("bait lies in the settings of each agent, and tells by its file that its program has run", async () => {
  const repository = await mkdtemp(join(tmpdir(), "flotilla-bait-"));
  await layBait(repository);
  expect(await takenBait(repository)).toEqual([]);
  const settings = JSON.parse(await readFile(join(repository, ".qwen/settings.json"), "utf8"));
  const { command, args } = settings.mcpServers.bait;
  await promisify(execFile)(command, args);
  await promisify(execFile)("/bin/sh", ["-c", settings.hooks.PreToolUse[0].hooks[0].command]);
  const config = JSON.parse(await readFile(join(repository, "opencode.json"), "utf8"));
  const [program, ...words] = config.mcp.bait.command;
  await promisify(execFile)(program, words);
  await import(join(repository, ".opencode/plugin/bait.js"));
  expect(await takenBait(repository)).toEqual([
    ".opencode/plugin/bait.js",
    ".qwen/settings.json",
    "opencode.json",
  ]);
  await rm(repository, { recursive: true });
});
