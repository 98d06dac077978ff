import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalGitHub } from "../../src/demo/github/start.ts";

export interface Home {
  readonly cwd: string;
  /** The environment for `serve`. */
  readonly env: Readonly<Record<string, string>>;
  /** The initial configuration file. */
  readonly config: string;
  /** Writes another configuration file. */
  readonly configure: (yaml: string) => void;
  readonly remove: () => void;
}

const CONFIG = `
runtime:
  provider: { type: openai, base_url: "http://127.0.0.1:9/v1", api_key_env: MODEL_API_KEY }
  model: gpt-4.1
agents_dir: ${JSON.stringify(join(import.meta.dirname, "../../config/roles"))}
sandbox: { mode: none }
`;

/** Creates a directory with everything that `flotilla serve` needs to run against the local GitHub. */
export function aHome(github: LocalGitHub): Home {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-home-"));
  const configure = (yaml: string): void => writeFileSync(join(cwd, "config.yaml"), yaml);
  configure(CONFIG);
  return {
    cwd,
    config: CONFIG,
    configure,
    env: {
      APP_ID: String(github.app.id),
      PRIVATE_KEY: github.app.privateKey,
      WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
      GHE_HOST: github.host,
      GHE_PROTOCOL: "http",
      HOST: "127.0.0.1",
      PORT: "0",
      MODEL_API_KEY: "key-of-the-model",
    },
    remove: () => rmSync(cwd, { recursive: true, force: true }),
  };
}
