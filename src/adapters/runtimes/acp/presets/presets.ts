import type { Preset } from "../preset.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

/** The programs that Flotilla was tried with, each in the version that its preset names. */
export const PRESETS: ReadonlyMap<string, Preset> = new Map(
  [claude, codex, gemini, opencode, qwen].map((preset) => [preset.name, preset]),
);
