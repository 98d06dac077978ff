import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentDirectory } from "../../../../src/adapters/runtimes/acp/installed.ts";
import { temporaryDirectory } from "../../store/temporary.ts";

it("takes an agent that the image has from there, and any other from the data directory", () => {
  const image = temporaryDirectory();
  mkdirSync(join(image, "runtimes", "codex"), { recursive: true });
  expect(agentDirectory("/data", "codex", image)).toBe(join(image, "runtimes", "codex"));
  expect(agentDirectory("/data", "qwen", image)).toBe("/data/runtimes/qwen");
});
