import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { DECLARED } from "../../../src/cli/declared.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import type { LocalGitHub } from "../../../src/demo/github/start.ts";
import { type ScriptInput, scriptSchema } from "../../../src/demo/model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../../src/demo/model/scripted-model.ts";
import { hostEnvironment } from "../trial-ground.ts";

/** An operator's home with a scripted model. The models are named in the script as `model: gpt-4.1` and so on. */
export interface TrialHome {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ScriptedModel;
  readonly close: () => Promise<void>;
}

/** `github` is that of the operator's App. */
export async function trialHome(
  github: LocalGitHub,
  conversations: ScriptInput["conversations"],
  more: Readonly<Record<string, unknown>> = {},
): Promise<TrialHome> {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-trial-"));
  const model = await startScriptedModel({
    script: scriptSchema.parse({ conversations }),
    host: "127.0.0.1",
    port: 0,
  });
  const config = {
    runtime: {
      provider: { type: "openai", base_url: model.url, api_key_env: "MODEL_API_KEY" },
      model: "gpt-4.1",
      prices: { "gpt-4.1": { in: 2, cached: 0.5, out: 8 } },
    },
    agents_dir: join(import.meta.dirname, "../../../config/roles"),
    circuit_breakers: { disk: { min_free_gib: 0 } },
    ...more,
  };
  writeFileSync(join(cwd, "config.yaml"), stringify(config));
  const dataDir = join(cwd, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  return {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...hostEnvironment(github, dataDir) },
    model,
    close: async () => {
      await model.close();
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}

export const configOf = ({ env, cwd }: Pick<TrialHome, "env" | "cwd">) =>
  loadConfig({ env, cwd, ...DECLARED }).config;
