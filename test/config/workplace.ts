import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { DECLARED } from "../../src/cli/declared.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { StartupRefused } from "../../src/domain/kernel/errors.ts";

export const OUR_TOOLS = DECLARED.knownTools;

export const PRIVATE_KEY = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs1", format: "pem" })
  .toString();

/** An environment without a fault. */
export const SOUND_ENV = {
  APP_ID: "42",
  PRIVATE_KEY,
  WEBHOOK_SECRET: "webhook-secret-of-thirty-two-byte",
  MODEL_API_KEY: "model-key-0123456789",
};

/** What every configuration here needs to be sound. */
export const SOUND_YAML = `
sandbox: { mode: none }
runtime: { provider: { type: openai, base_url: "http://127.0.0.1:4010/v1", api_key_env: MODEL_API_KEY }, prices: { gpt-4.1: { in: 2, cached: 0.5, out: 8 }, gpt-5: { in: 2, cached: 0.5, out: 8 } } }
`;

/** A working directory with the shipped role files; `files` are written over them. Removed when the test ends. */
export function workplace(files: Readonly<Record<string, string>> = {}): string {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-config-"));
  onTestFinished(() => {
    rmSync(cwd, { recursive: true });
  });
  cpSync("config/roles", join(cwd, "config/roles"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return cwd;
}

interface Given {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly declared?: Partial<typeof DECLARED>;
}

/** Loads a config.yaml with this text. */
export function load(yaml: string, given: Given = {}) {
  const cwd = workplace({ "config.yaml": yaml, ...given.files });
  return loadConfig({ env: { ...SOUND_ENV, ...given.env }, cwd, ...DECLARED, ...given.declared });
}

/** The faults of a config.yaml with this text; none when it is sound. */
export function faultsOf(yaml: string, given: Given = {}): readonly string[] {
  try {
    load(yaml, given);
    return [];
  } catch (error) {
    if (error instanceof StartupRefused) return error.faults;
    throw error;
  }
}
